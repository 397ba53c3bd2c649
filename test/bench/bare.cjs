// A program that does nothing, or waits BENCH_WAIT_MS: the cost of Node.
if (process.env.BENCH_WAIT_MS) setTimeout(() => {}, Number(process.env.BENCH_WAIT_MS));
