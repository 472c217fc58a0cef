import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dir, '..')

/** Less than that only names a license, or says where its text is. */
const SHORTEST = 300

/** One license text, and every package that comes under it. */
interface Notice {
  packages: string[]
  license: string
  text: string
}

/** Their one file was bundled by their maker, so what is inside shows in their dependencies alone. */
const PREBUNDLED = ['@scalar/api-reference']

interface Manifest {
  name: string
  version: string
  license?: string
  author?: string | { name?: string }
  dependencies?: Record<string, string>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The folder of the package that a module belongs to; nothing for modules of our own. */
const folderOf = (module: string) =>
  /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(join(root, module).replaceAll('\\', '/'))?.[0]

/** Where a package finds another one, as Node looks for it. */
function resolved(name: string, from: string): string | undefined {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
  }
  return undefined
}

function withDependencies(first: string): string[] {
  const folders = new Set([first])
  // The set grows while it is walked.
  for (const folder of folders)
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
      const found = resolved(name, folder)
      if (found) folders.add(found)
    }
  return [...folders]
}

/** Everything that comes with these modules, which are named by their paths from the root. */
export function noticesOf(modules: readonly string[]): Notice[] {
  const direct = new Set(modules.flatMap((module) => folderOf(module) ?? []))
  const folders = [...direct].flatMap((folder) =>
    PREBUNDLED.includes(manifestOf(folder).name) ? withDependencies(folder) : folder,
  )
  const byText = new Map<string, Notice>()
  for (const folder of new Set(folders)) {
    const manifest = manifestOf(folder)
    const license = manifest.license ?? 'see its text'
    const own = textIn(folder)
    const text = own.length < SHORTEST ? `${own}\n\n${standIn(manifest)}`.trim() : own
    const notice = byText.get(license + text) ?? { packages: [], license, text }
    notice.packages = [
      ...new Set([...notice.packages, `${manifest.name} ${manifest.version}`]),
    ].sort()
    byText.set(license + text, notice)
  }
  const first = ({ packages }: Notice) => packages[0]!
  return [bun(), ...[...byText.values()].sort((a, b) => (first(a) < first(b) ? -1 : 1))]
}

/** What a package says itself: its license, and notices beside it. */
function textIn(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  const texts = names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim())
  return texts.join('\n\n')
}

/** Some packages name a license and bring no text of it. */
function standIn({ name, license, author }: Manifest): string {
  const who = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`
  const file = `scripts/licenses/${license}.txt`
  if (!existsSync(join(root, file)))
    throw new Error(`${name} brings no text of its license. Put one at ${file}`)
  return readFileSync(join(root, file), 'utf8').trim().replace('<holder>', who)
}

/** The runtime is a part of every executable, and JavaScriptCore a part of the runtime. */
function bun(): Notice {
  const about = readFileSync(join(root, 'node_modules/bun-types/docs/project/license.mdx'), 'utf8')
  const text = about.replace(/^---\n.*?\n---\n/s, '').trim()
  const lgpl = readFileSync(join(root, 'scripts/licenses/LGPL-2.1.txt'), 'utf8').trim()
  const mit = readFileSync(join(root, 'scripts/licenses/MIT.txt'), 'utf8').trim()
  return {
    packages: [`Bun ${Bun.version}, with JavaScriptCore and what both contain`],
    license: 'MIT, LGPL-2.1 and others',
    text: [text, mit.replace('<holder>', 'the authors of Bun'), lgpl].join('\n\n'),
  }
}
