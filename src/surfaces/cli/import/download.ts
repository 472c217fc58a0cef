import type { Sources } from '../../../import/open.ts'
import type { Source, SourceFile } from '../../../import/source.ts'
import { connectionProblem } from '../client.ts'
import { CommandError, UsageError } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { progress } from '../progress.ts'
import type { ImportContext } from './context.ts'

export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)

/** Downloads what a source reads from the API of its product. */
export async function download(
  address: string,
  { io, values: { from, token }, sources, stream }: ImportContext,
): Promise<{ source: Source; files: SourceFile[] }> {
  const url = URL.parse(address)
  if (!url) throw new UsageError(`"${address}" is not an address`)
  const source = await sourceOf(url, from, sources)
  const api = source.api!
  const stop = new AbortController()
  const stopListening = io.onInterrupt(() => stop.abort())
  const bar = progress(`Downloading from ${source.title}`, undefined, stream)
  const files: SourceFile[] = []
  try {
    for await (const file of api.download({
      ...{ url: address, token: token ?? io.env[api.token], signal: stop.signal },
      fetch: fetchThrough(io),
      onProgress: (what) => bar.at(files.length, what),
    }))
      files.push(file)
  } catch (error) {
    if (stop.signal.aborted)
      throw new CommandError('The download was stopped. Nothing was imported')
    if (connectionProblem(error) === 'other') throw error
    throw new CommandError(`${url.host} cannot be reached: ${(error as Error).message}`)
  } finally {
    stopListening()
    bar.end(`${files.length} files`)
  }
  return { source, files }
}

/** The source with this name, or the one to which the address belongs. */
async function sourceOf(url: URL, from: string | undefined, sources: Sources): Promise<Source> {
  const loaded = await Promise.all(Object.values(sources).map((load) => load()))
  const withApi = loaded.filter(({ api }) => api)
  const found = withApi.find(({ name, api }) =>
    from === undefined ? api!.matches(url) : name === from,
  )
  if (found) return found
  const names = withApi.map(({ name, title, api }) => `  ${name}  ${title} (token: ${api!.token})`)
  const problem =
    from === undefined
      ? `No source downloads from ${url.host}`
      : `The source "${from}" does not download`
  const list = names.length ? `, or name one of these with --from:\n${names.join('\n')}` : ''
  throw new CommandError(`${problem}. Import an exported file instead${list}`)
}

const fetchThrough = (io: CommandIO) =>
  Object.assign(
    (input: RequestInfo | URL, init?: RequestInit) => io.fetch(new Request(input, init)),
    {
      preconnect: () => {},
    },
  ) as typeof fetch
