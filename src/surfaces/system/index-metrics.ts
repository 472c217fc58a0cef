/** The state of the search index. */
export interface IndexState {
  passages: number
  bytes: number
  loaded_bytes: number
  /** Passages without a vector, if an embeddings service is configured. */
  lacking?: number
  /** Whether the first pass over existing texts is unfinished. */
  isBuilding: boolean
  /** The position in the change log up to which it is complete. */
  place: { seq: number } | undefined
  asked: number
  seconds: number
}

interface IndexReadings {
  newest(): Promise<number>
  index?(): Promise<IndexState>
}

/** The metrics of the search index; empty while its worker restarts. */
export async function indexMetrics({ index, newest }: IndexReadings): Promise<string> {
  const state = await index?.().catch(() => undefined)
  if (!state) return ''
  const lag = (await newest()) - (state.place?.seq ?? 0)
  const lines = [
    gauge('passages', 'Passages that can be found by what they mean', state.passages),
    gauge('building', 'Whether that index is still being built', Number(state.isBuilding)),
    gauge('lag', 'Changes that the index of passages has yet to take in', Math.max(0, lag)),
    gauge('bytes', 'Bytes of the file of that index', state.bytes),
    gauge('loaded_bytes', 'Bytes that it takes in memory', state.loaded_bytes),
    ...(state.lacking === undefined
      ? []
      : [gauge('lacking', 'Passages that have no vector yet', state.lacking)]),
    '# HELP cork_search_seconds Seconds in which that index answered',
    '# TYPE cork_search_seconds summary',
    `cork_search_seconds_sum ${state.seconds}`,
    `cork_search_seconds_count ${state.asked}`,
  ]
  return `${lines.join('\n')}\n`
}

const gauge = (name: string, help: string, value: number) =>
  `# HELP cork_search_${name} ${help}\n# TYPE cork_search_${name} gauge\ncork_search_${name} ${value}`
