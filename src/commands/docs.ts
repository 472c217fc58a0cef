import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { openManual } from '../manual/index.ts'
import { UnusableError } from '../store/unusable.ts'
import { siteFiles } from '../surfaces/manual/static-site.ts'
import { builtFiles } from '../surfaces/web/files.ts'
import type { Command } from './command.ts'

export const exportDocs: Command = {
  summary: 'Write this manual as a static site, to serve with any web server',
  about:
    'Links are relative, so the site works below any path and when its files are opened from a disk. It has no search and no API reference, which need a server.',
  example: 'cork docs export site',
  args: [{ name: 'dir', about: 'Folder for the files', required: true }],
  flags: { force: { type: 'boolean', about: 'Write into a folder that has files' } },
  async run({ dir, force, json }) {
    const folder = resolve(dir!)
    const names = await readdir(folder).catch(() => [])
    if (names.length && force === undefined)
      throw new UnusableError(
        `${folder} has files. Choose an empty folder, or overwrite with --force`,
      )
    let files = 0
    for await (const [path, content] of siteFiles(openManual(), readFont)) {
      const file = join(folder, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
      files++
    }
    console.log(
      json === undefined
        ? `Wrote ${files} files to ${folder}. Open ${join(folder, 'index.html')}`
        : JSON.stringify({ folder, files }),
    )
    return 0
  },
}

/** The web app contains the fonts. */
async function readFont(name: string): Promise<Uint8Array> {
  const font = builtFiles().asset(name, '')
  if (!font)
    throw new UnusableError('The fonts are created by the build: run "npm run build" first')
  return font.bytes()
}
