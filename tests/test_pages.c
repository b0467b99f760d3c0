/* test_pages.c: compiles and runs the programs of pages in docs/, and checks their output */
#include "test.h"

int gradients_main(void);
int equilibrium_main(void);
int device_main(int count, char **names);
int worlds_main(int count, char **names);

#define main gradients_main
#include "gradients_blocks.c"
#undef main
#define main equilibrium_main
#include "equilibrium_blocks.c"
#undef main
#define main device_main
#include "device_blocks.c"
#undef main
#define main worlds_main
#include "worlds_blocks.c"
#undef main

static void gradients(void)
{
  CHECK_EQUAL_INT(gradients_main(), 0);
}

static void equilibrium(void)
{
  CHECK_EQUAL_INT(equilibrium_main(), 0);
}

static void device(void)
{
  CHECK_EQUAL_INT(device_main(0, NULL), 0);
}

static void worlds(void)
{
  CHECK_EQUAL_INT(worlds_main(0, NULL), 0);
}

static const test_case tests[] = {
    TEST(gradients),
    TEST(equilibrium),
    TEST(device),
    TEST(worlds),
};

TEST_MAIN(tests)
