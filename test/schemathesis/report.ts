/** What one run of Schemathesis sent and found, from its NDJSON report. */
export interface Found {
  /** Requests that were answered. */
  cases: number
  /** By status, such as 200. */
  statuses: Record<string, number>
  failures: Failure[]
}

export interface Failure {
  check: string
  /** Such as "GET /api/v1/tasks". */
  operation: string
  message: string
  request: string
  status: number
  answer: string
}

interface Interaction {
  request: { method: string; uri: string; body: { $base64: string } | null }
  response: { status_code: number; content?: { $base64: string } | null } | null
}

interface Check {
  name: string
  status: string
  failure_info?: { failure: { title: string; message: string } }
}

interface Recorder {
  label: string
  /** Missing where an operation was skipped. */
  checks?: Record<string, Check[]>
  interactions?: Record<string, Interaction>
}

/** Longer than any refusal, because refusals are parsed as JSON. */
const SHOWN = 4000

export async function readReport(path: string): Promise<Found> {
  const found: Found = { cases: 0, statuses: {}, failures: [] }
  for (const line of (await Bun.file(path).text()).split('\n')) {
    if (!line.startsWith('{"ScenarioFinished"')) continue
    add(found, JSON.parse(line).ScenarioFinished.recorder)
  }
  return found
}

function add(found: Found, { label, checks = {}, interactions = {} }: Recorder) {
  for (const { response } of Object.values(interactions)) {
    if (!response) continue
    found.cases++
    const { status_code: status } = response
    found.statuses[status] = (found.statuses[status] ?? 0) + 1
  }
  for (const [id, results] of Object.entries(checks))
    for (const { name, status, failure_info } of results)
      if (status === 'failure')
        found.failures.push({
          check: name,
          operation: label,
          message: failure_info?.failure.message ?? '',
          ...exchange(interactions[id]),
        })
}

function exchange(one: Interaction | undefined) {
  const { request, response } = one ?? {}
  return {
    request: `${request?.method} ${request?.uri} ${decoded(request?.body)}`,
    status: response?.status_code ?? 0,
    answer: decoded(response?.content),
  }
}

const decoded = (text: { $base64: string } | null | undefined) =>
  text ? Buffer.from(text.$base64, 'base64').toString().slice(0, SHOWN) : ''
