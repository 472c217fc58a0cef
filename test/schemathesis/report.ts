/** The result of one run of Schemathesis, from its NDJSON report. */
export interface RunResult {
  /** Requests that received a response. */
  cases: number
  /** Number of responses by status. */
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
  responseBody: string
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
  /** Missing if the operation was skipped. */
  checks?: Record<string, Check[]>
  interactions?: Record<string, Interaction>
}

/** Longer than any refusal, because refusals are parsed as JSON. */
const MAX_BODY_LENGTH = 4000

export async function readReport(path: string): Promise<RunResult> {
  const result: RunResult = { cases: 0, statuses: {}, failures: [] }
  for (const line of (await Bun.file(path).text()).split('\n')) {
    if (!line.startsWith('{"ScenarioFinished"')) continue
    addScenario(result, JSON.parse(line).ScenarioFinished.recorder)
  }
  return result
}

function addScenario(result: RunResult, { label, checks = {}, interactions = {} }: Recorder) {
  for (const { response } of Object.values(interactions)) {
    if (!response) continue
    result.cases++
    const { status_code: status } = response
    result.statuses[status] = (result.statuses[status] ?? 0) + 1
  }
  for (const [id, results] of Object.entries(checks))
    for (const { name, status, failure_info } of results)
      if (status === 'failure')
        result.failures.push({
          check: name,
          operation: label,
          message: failure_info?.failure.message ?? '',
          ...describeExchange(interactions[id]),
        })
}

function describeExchange(interaction: Interaction | undefined) {
  const { request, response } = interaction ?? {}
  return {
    request: `${request?.method} ${request?.uri} ${decodeBody(request?.body)}`,
    status: response?.status_code ?? 0,
    responseBody: decodeBody(response?.content),
  }
}

const decodeBody = (text: { $base64: string } | null | undefined) =>
  text ? Buffer.from(text.$base64, 'base64').toString().slice(0, MAX_BODY_LENGTH) : ''
