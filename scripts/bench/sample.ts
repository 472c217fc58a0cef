/** What a run measured: times in milliseconds, and how many cores each side used. */
export interface Sample {
  rate: number
  mean: number
  p50: number
  p95: number
  p99: number
  client: number
  server: number
}

/** Cores of the load generator and of the server. */
export type CpuUse = Pick<Sample, 'client' | 'server'>

/** Summarizes the times of a run. `times` are the milliseconds of each response, in any order. */
export function sampleOf(times: number[], seconds: number, cpuUse: CpuUse): Sample {
  const sorted = Float64Array.from(times).sort()
  const percentile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length
  return {
    ...{
      rate: sorted.length / seconds,
      mean,
      p50: percentile(0.5),
      p95: percentile(0.95),
      p99: percentile(0.99),
    },
    ...cpuUse,
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of several rounds, with the lowest and the highest. */
export interface Spread {
  median: number
  low: number
  high: number
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
})

/** The median of each figure over the rounds. */
export const medianSample = (samples: readonly Sample[]): Sample =>
  Object.fromEntries(
    Object.keys(samples[0]!).map((name) => [
      name,
      median(samples.map((sample) => sample[name as keyof Sample])),
    ]),
  ) as unknown as Sample

/** Compares each round with its baseline, because other load on the machine affects both alike. */
export const compareByRound = (
  subject: readonly Sample[],
  baseline: readonly Sample[],
  compare: (subject: Sample, baseline: Sample) => number,
): Spread => spreadOf(subject.map((sample, round) => compare(sample, baseline[round]!)))

export const rateRatio = (subject: Sample, baseline: Sample) => subject.rate / baseline.rate
export const medianTimeRatio = (subject: Sample, baseline: Sample) => subject.p50 / baseline.p50

export interface RunSettings {
  rounds: number
  /** The duration of each run. */
  seconds: number
}

/** Generates load for a number of seconds. */
export type TimedRun = (seconds: number) => Promise<Sample>

/** Measures a run several times, after half a run for warm-up. */
export async function sampleRounds(
  { rounds, seconds }: RunSettings,
  run: TimedRun,
): Promise<Sample[]> {
  const samples: Sample[] = []
  await run(seconds / 2)
  for (let round = 0; round < rounds; round++) samples.push(await run(seconds))
  return samples
}

interface Comparison {
  sample: Sample
  baseline: Sample
  figure: Spread
}

/** Runs the baseline and the subject in alternation, after one round for warm-up. */
export async function compareRuns(
  { rounds, seconds }: RunSettings,
  runs: { subject: TimedRun; baseline: TimedRun },
  compare: (subject: Sample, baseline: Sample) => number,
): Promise<Comparison> {
  const samples = { subject: [] as Sample[], baseline: [] as Sample[] }
  for (let round = -1; round < rounds; round++) {
    const baseline = await runs.baseline(seconds)
    const subject = await runs.subject(seconds)
    if (round < 0) continue
    samples.baseline.push(baseline)
    samples.subject.push(subject)
  }
  return {
    sample: medianSample(samples.subject),
    baseline: medianSample(samples.baseline),
    figure: compareByRound(samples.subject, samples.baseline, compare),
  }
}
