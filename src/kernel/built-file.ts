import { join } from 'node:path'

/** In the executable, all code is in the folder above `web`, which the build embeds. */
const folder = Bun.isStandaloneExecutable
  ? join(import.meta.dir, 'web')
  : join(import.meta.dir, '../../dist/web')

/** A file that the build compressed. Undefined if there was no build yet. */
export async function readBuiltFile(name: string): Promise<Uint8Array | undefined> {
  const file = Bun.file(join(folder, `${name}.zst`))
  return (await file.exists()) ? Bun.zstdDecompress(await file.bytes()) : undefined
}
