/** What a run measured: times in milliseconds, and how busy each side's processor was (1: one core). */
export interface Sample {
  rate: number
  mean: number
  p50: number
  p95: number
  p99: number
  client: number
  server: number
}

export type Busy = Pick<Sample, 'client' | 'server'>

/** `times` are the milliseconds that each answer took, in any order. */
export function sampleOf(times: number[], seconds: number, busy: Busy): Sample {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length
  return {
    ...{ rate: sorted.length / seconds, mean, p50: at(0.5), p95: at(0.95), p99: at(0.99) },
    ...busy,
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The middle of what the rounds gave, and how far they lay apart. */
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

/** Each figure's median over the rounds. */
export const typical = (samples: readonly Sample[]): Sample =>
  Object.fromEntries(
    Object.keys(samples[0]!).map((name) => [
      name,
      median(samples.map((sample) => sample[name as keyof Sample])),
    ]),
  ) as unknown as Sample

/** Round by round, because what a shared machine does to a round it does to both sides of it. */
export const against = (
  subject: readonly Sample[],
  base: readonly Sample[],
  compare: (subject: Sample, base: Sample) => number,
): Spread => spreadOf(subject.map((sample, round) => compare(sample, base[round]!)))

export const byRate = (subject: Sample, base: Sample) => subject.rate / base.rate
export const byMedianTime = (subject: Sample, base: Sample) => subject.p50 / base.p50

export interface Pace {
  rounds: number
  /** Of each run in a round. */
  seconds: number
}

export type Run = (seconds: number) => Promise<Sample>

interface Compared {
  sample: Sample
  base: Sample
  figure: Spread
}

/** Both once to warm up, then turn by turn, round after round. */
export async function sideBySide(
  { rounds, seconds }: Pace,
  runs: { subject: Run; base: Run },
  compare: (subject: Sample, base: Sample) => number,
): Promise<Compared> {
  const samples = { subject: [] as Sample[], base: [] as Sample[] }
  for (let round = -1; round < rounds; round++) {
    const base = await runs.base(seconds)
    const subject = await runs.subject(seconds)
    if (round < 0) continue
    samples.base.push(base)
    samples.subject.push(subject)
  }
  return {
    sample: typical(samples.subject),
    base: typical(samples.base),
    figure: against(samples.subject, samples.base, compare),
  }
}
