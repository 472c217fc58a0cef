/**
 * The milliseconds of processor time since a call of `startCpuTimer`. Unlike elapsed time, it does
 * not depend on what else runs on the machine.
 */
export function startCpuTimer(): () => number {
  const start = process.cpuUsage()
  return () => process.cpuUsage(start).user / 1000
}
