import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dir, '..')

/** A shorter text only names a license or says where its text is. */
const MIN_LICENSE_LENGTH = 300

/** A license text and all packages under it. */
interface Notice {
  packages: string[]
  license: string
  text: string
}

/** Packages that are bundled into one file. What they contain is only known from their dependencies. */
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

/** The folder of the package that a module belongs to; undefined for our own modules. */
const folderOf = (module: string) =>
  /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(join(root, module).replaceAll('\\', '/'))?.[0]

/** Finds a dependency of a package by Node's resolution. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
  }
  return undefined
}

function withDependencies(start: string): string[] {
  const folders = new Set([start])
  // The set grows during the iteration.
  for (const folder of folders)
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
      const found = findPackage(name, folder)
      if (found) folders.add(found)
    }
  return [...folders]
}

/** The license notices for these modules, which are given by their paths from the root. */
export function noticesOf(modules: readonly string[]): Notice[] {
  const packageFolders = new Set(modules.flatMap((module) => folderOf(module) ?? []))
  const folders = [...packageFolders].flatMap((folder) =>
    PREBUNDLED.includes(manifestOf(folder).name) ? withDependencies(folder) : folder,
  )
  const byText = new Map<string, Notice>()
  for (const folder of new Set(folders)) {
    const manifest = manifestOf(folder)
    const license = manifest.license ?? 'see its text'
    const ownText = ownLicenseText(folder)
    const text =
      ownText.length < MIN_LICENSE_LENGTH
        ? `${ownText}\n\n${standardText(manifest)}`.trim()
        : ownText
    const notice = byText.get(license + text) ?? { packages: [], license, text }
    notice.packages = [
      ...new Set([...notice.packages, `${manifest.name} ${manifest.version}`]),
    ].sort()
    byText.set(license + text, notice)
  }
  const first = ({ packages }: Notice) => packages[0]!
  return [bun(), ...[...byText.values()].sort((a, b) => (first(a) < first(b) ? -1 : 1))]
}

/** The license and notice files of a package. */
function ownLicenseText(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  const texts = names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim())
  return texts.join('\n\n')
}

/** The standard text of a license, for packages that name one without its text. */
function standardText({ name, license, author }: Manifest): string {
  const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`
  const file = `scripts/licenses/${license}.txt`
  if (!existsSync(join(root, file)))
    throw new Error(`${name} contains no license text. Add it as ${file}`)
  return readFileSync(join(root, file), 'utf8').trim().replace('<holder>', holder)
}

/** The notice for Bun and JavaScriptCore, which are part of every executable. */
function bun(): Notice {
  const bunLicense = readFileSync(
    join(root, 'node_modules/bun-types/docs/project/license.mdx'),
    'utf8',
  )
  const text = bunLicense.replace(/^---\n.*?\n---\n/s, '').trim()
  const lgpl = readFileSync(join(root, 'scripts/licenses/LGPL-2.1.txt'), 'utf8').trim()
  const mit = readFileSync(join(root, 'scripts/licenses/MIT.txt'), 'utf8').trim()
  return {
    packages: [`Bun ${Bun.version}, with JavaScriptCore and what both contain`],
    license: 'MIT, LGPL-2.1 and others',
    text: [text, mit.replace('<holder>', 'the authors of Bun'), lgpl].join('\n\n'),
  }
}
