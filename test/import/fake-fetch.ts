import type { FieldAccount } from '../../src/import/fields.ts'
import type { ApiOptions, Source, SourceFile } from '../../src/import/source.ts'
import { type Reading, readSource } from './read-source.ts'

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

export interface FakeApi {
  fetch: typeof fetch
  /** The requests in order: method and address. */
  requests: string[]
  /** The headers of the last request. */
  headers: () => Headers
}

/** An API that answers each address with one answer, or with several in turn. */
export function fakeApi(answers: Record<string, Answer | Answer[]>): FakeApi {
  const requests: string[] = []
  const turns = new Map<string, number>()
  let headers = new Headers()
  const answer = async (input: string | URL | Request, init: RequestInit = {}) => {
    const key = `${init.method ?? 'GET'} ${input}`
    headers = new Headers(init.headers)
    requests.push(key)
    const list = [answers[key] ?? answers[String(input)] ?? { status: 404, body: {} }].flat()
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    const { status = 200, headers: sent = {}, body = [] } = list[Math.min(turn, list.length - 1)]!
    return Response.json(body, { status, headers: sent })
  }
  return { fetch: answer as typeof fetch, requests, headers: () => headers }
}

export async function download(
  source: Source,
  url: string,
  api: FakeApi,
  options: Partial<ApiOptions> = {},
): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  const all: ApiOptions = {
    url,
    token: 'secret',
    fetch: api.fetch,
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...options,
  }
  for await (const file of source.api!.download(all)) files.push(file)
  return files
}

/** Reads what the download gives. */
export const readDownload = async (source: Source, url: string, api: FakeApi): Promise<Reading> =>
  readSource(source, await download(source, url, api))

/** What the dry run would report as lost. */
export const lostFields = ({ fields }: { fields: FieldAccount }): string[] => [
  ...fields.lost.keys(),
]
