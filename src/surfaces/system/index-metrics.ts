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
    gauge('passages', 'Passages in the search index', state.passages),
    gauge('building', 'Whether the search index is still being built', Number(state.isBuilding)),
    gauge('lag', 'Changes that the search index has not processed yet', Math.max(0, lag)),
    gauge('bytes', 'Size of the search index file in bytes', state.bytes),
    gauge('loaded_bytes', 'Memory used by the search index in bytes', state.loaded_bytes),
    ...(state.lacking === undefined
      ? []
      : [gauge('lacking', 'Passages without a vector', state.lacking)]),
    '# HELP cork_search_seconds Seconds that searches of the index took',
    '# TYPE cork_search_seconds summary',
    `cork_search_seconds_sum ${state.seconds}`,
    `cork_search_seconds_count ${state.asked}`,
  ]
  return `${lines.join('\n')}\n`
}

const gauge = (name: string, help: string, value: number) =>
  `# HELP cork_search_${name} ${help}\n# TYPE cork_search_${name} gauge\ncork_search_${name} ${value}`
