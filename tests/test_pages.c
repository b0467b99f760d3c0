/* test_pages.c: the programs of pages in docs/, compiled as they stand there, run and say what they
 * should */
#include "test.h"

int gradients_main(void);
int equilibrium_main(void);

#define main gradients_main
#include "gradients_blocks.c"
#undef main
#define main equilibrium_main
#include "equilibrium_blocks.c"
#undef main

static void gradients(void)
{
  CHECK_EQUAL_INT(gradients_main(), 0);
}

static void equilibrium(void)
{
  CHECK_EQUAL_INT(equilibrium_main(), 0);
}

static const test_case tests[] = {
    TEST(gradients),
    TEST(equilibrium),
};

TEST_MAIN(tests)
