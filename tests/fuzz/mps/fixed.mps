NAME          TINY
ROWS
 N  COST
 L  LIM 1
 G  LIM2
 E  MYEQN
COLUMNS
    X ONE     COST              1.   LIM 1             1.
    X ONE     LIM2              1.
    YTWO      COST              2.   LIM 1             1.
    YTWO      MYEQN            -1.
    ZTHREE    COST             -1.   MYEQN             1.
RHS
    RHS       COST            -12.   LIM 1             4.
    RHS       LIM2              1.   MYEQN             7.
RANGES
    RNG       LIM 1            2.5   MYEQN            -3.
BOUNDS
 UP BND       X ONE             4.
 LO BND       YTWO             -1.
 UP BND       YTWO              1.
QUADOBJ
    X ONE     X ONE             2.
    YTWO      X ONE            -1.   YTWO              4.
ENDATA
