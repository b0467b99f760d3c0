set terminal svg size 720,400 dynamic font 'sans-serif,13'
set output 'figure-curve.svg'
set datafile separator ','
set grid lc rgb '#999999' lw 0.3
set border lw 0.6
set key outside right top
set xlabel 'x (m)'
set ylabel 'y (s)'
plot 'figure-points.csv' using 1:2 with linespoints lw 1.6 lc rgb '#0077bb' pt 5 ps 0.6 title 'first', \
  'figure-points.csv' using 1:1 with lines lw 1.6 lc rgb '#ee7733' title 'second'
