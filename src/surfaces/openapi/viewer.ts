import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { readBuiltFile } from '../../kernel/built-file.ts'

export interface Viewer {
  /** Contains a hash of the contents, so that browsers may cache it forever. */
  path: string
  encodedAs(encoding: 'br' | 'gzip' | 'identity'): Promise<Uint8Array>
}

const ENCODERS = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
  identity: async (bytes: Uint8Array) => bytes,
}

/** The package's exports leave out its stand-alone bundle. */
const SOURCE = `${import.meta.dir}/../../../node_modules/@scalar/api-reference/dist/browser/standalone.js`

/** Unpacks the viewer's script: 4 MB, which few ever request. */
export async function openViewer(): Promise<Viewer> {
  const bytes = (await readBuiltFile('viewer.js')) ?? (await Bun.file(SOURCE).bytes())
  const encoded = new Map<string, Promise<Uint8Array>>()
  return {
    path: `/docs/viewer-${Bun.hash(bytes).toString(36)}.js`,
    encodedAs(encoding) {
      const cached = encoded.get(encoding)
      if (cached) return cached
      const result = ENCODERS[encoding](bytes)
      encoded.set(encoding, result)
      return result
    },
  }
}
