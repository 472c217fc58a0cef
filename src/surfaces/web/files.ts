import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Beside the sources the app is where it was built; in the executable it is part of that. */
const folder = join(
  import.meta.dir,
  ...(Bun.isStandaloneExecutable ? ['web'] : ['..', '..', '..', 'dist', 'web']),
)

/** The files of the app as a browser gets them. */
export interface Files {
  /** Nothing where it was not built. */
  page(): Promise<string | undefined>
  asset(name: string, accepted: string): Response | undefined
}

const KEEP = 'public, max-age=31536000, immutable'
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

export function builtFiles(): Files {
  const assets = join(folder, 'assets')
  let names: ReadonlySet<string> | undefined
  let text: string | undefined
  return {
    async page() {
      const index = Bun.file(join(folder, 'index.html'))
      // It stays what it was when the program was built.
      if (text === undefined && (await index.exists())) text = await index.text()
      return text
    },
    asset(name, accepted) {
      names ??= new Set(existsSync(assets) ? readdirSync(assets) : [])
      if (!names.has(name) || /\.(br|gz)$/.test(name)) return undefined
      const packed = PACKED.find(
        ([coding, end]) => accepted.includes(coding) && names!.has(name + end),
      )
      return new Response(Bun.file(join(assets, name + (packed?.[1] ?? ''))), {
        headers: {
          'content-type': Bun.file(name).type,
          'cache-control': KEEP,
          'x-content-type-options': 'nosniff',
          vary: 'accept-encoding',
          ...(packed && { 'content-encoding': packed[0] }),
        },
      })
    },
  }
}
