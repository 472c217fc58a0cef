import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
// The path reaches past the package's exports, which leave its stand-alone bundle out.
// @ts-expect-error -- a script, of which only its place is wanted
import bundle from '../../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with {
  type: 'file',
}

export interface Viewer {
  /** Changes with the contents, so that browsers may keep what they have for ever. */
  path: string
  as(encoding: 'br' | 'gzip' | 'identity'): Promise<Uint8Array>
}

const WAYS = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
  identity: async (bytes: Uint8Array) => bytes,
}

/** The script of the page, out of the executable itself: 4 MB that few ever ask for. */
export async function openViewer(): Promise<Viewer> {
  const bytes = await Bun.file(bundle).bytes()
  const made = new Map<string, Promise<Uint8Array>>()
  return {
    path: `/docs/viewer-${Bun.hash(bytes).toString(36)}.js`,
    as(encoding) {
      const before = made.get(encoding)
      if (before) return before
      const now = WAYS[encoding](bytes)
      made.set(encoding, now)
      return now
    },
  }
}
