import type { Source, SourceFile } from '../../src/import/source.ts'

/** Downloads with a source from an API that answers by the path and query of each address. */
export async function downloadWith(
  source: Source,
  url: string,
  answer: (path: string) => unknown,
): Promise<{ files: SourceFile[]; requests: string[] }> {
  const requests: string[] = []
  const fetch = (async (input: string | URL | Request) => {
    const { pathname, search } = new URL(String(input))
    requests.push(pathname + search)
    const body = answer(pathname + search)
    return body === undefined ? new Response('', { status: 404 }) : Response.json(body)
  }) as typeof globalThis.fetch
  const { signal } = new AbortController()
  const files: SourceFile[] = []
  const options = { url, token: 'secret', fetch, onProgress: () => {}, signal }
  for await (const file of source.api!.download(options)) files.push(file)
  return { files, requests }
}
