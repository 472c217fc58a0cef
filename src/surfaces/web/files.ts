import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { accepts } from '../packing.ts'

/** In the executable the app is a part of it, and stays as it is; else it is where it was built. */
const isInside = Bun.isStandaloneExecutable
const folder = join(import.meta.dir, ...(isInside ? ['web'] : ['..', '..', '..', 'dist', 'web']))

/** The files of the app as a browser gets them. */
export interface Files {
  /** Nothing where it was not built. */
  page(): Promise<string | undefined>
  /** The addresses of the files that a part of the app is made of, by its place in the sources. */
  partOf(name: string): Promise<readonly string[]>
  asset(name: string, accepted: string): Response | undefined
}

const KEEP = 'public, max-age=31536000, immutable'
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

export function builtFiles(): Files {
  const assets = join(folder, 'assets')
  let text: string | undefined
  let names: ReadonlySet<string> | undefined
  let parts: Record<string, string[]> | undefined
  return {
    async page() {
      if (text !== undefined && isInside) return text
      const index = Bun.file(join(folder, 'index.html'))
      if (await index.exists()) text = await index.text()
      return text
    },
    async partOf(name) {
      if (!parts || !isInside) {
        const list = Bun.file(join(folder, 'parts.json'))
        parts = (await list.exists()) ? ((await list.json()) as Record<string, string[]>) : {}
      }
      return parts[name] ?? []
    },
    asset(name, accepted) {
      if (!names || !isInside) names = new Set(existsSync(assets) ? readdirSync(assets) : [])
      // Only what is listed: a name from outside may be a path that leads anywhere.
      if (!names.has(name) || /\.(br|gz)$/.test(name)) return undefined
      const packed = PACKED.find(
        ([coding, end]) => names!.has(name + end) && accepts(accepted, coding),
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
