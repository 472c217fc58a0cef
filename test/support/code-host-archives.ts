import type { World } from './world.ts'

export interface TarEntry {
  name: string
  text?: string
  /** The type flag of the entry; a file by default. */
  type?: string
  link?: string
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

function header({ name, text = '', type = '0', link = '' }: TarEntry): Uint8Array {
  const block = new Uint8Array(512)
  const write = (at: number, value: string) => block.set(bytesOf(value), at)
  write(0, name)
  write(100, '0000644\0')
  write(124, `${bytesOf(text).length.toString(8).padStart(11, '0')}\0`)
  write(136, '00000000000\0')
  write(148, ' '.repeat(8))
  write(156, type)
  write(157, link)
  write(257, 'ustar\0')
  const sum = block.reduce((total, byte) => total + byte, 0)
  write(148, `${sum.toString(8).padStart(6, '0')}\0 `)
  return block
}

/** A tar archive in the format of git archive. */
export function tar(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap((entry) => {
    const body = bytesOf(entry.text ?? '')
    return [header(entry), body, new Uint8Array((512 - (body.length % 512)) % 512)]
  })
  return new Uint8Array(Buffer.concat([...parts, new Uint8Array(1024)]))
}

/** A name that does not fit into its header is written into a pax header before it. */
export function longNameEntries(name: string, text: string): TarEntry[] {
  const record = ` path=${name}\n`
  const length = record.length + String(record.length + 2).length
  const headerRecord = { name: 'pax', type: 'x', text: `${length}${record}` }
  return [headerRecord, { name: name.slice(0, 99), text }]
}

export const tarGz = (entries: readonly TarEntry[]) => Bun.gzipSync(tar(entries))

export const skillText = (name: string, overrides = '') =>
  `---\nname: ${name}\ndescription: How to do ${name}\n${overrides}---\n\n# ${name}\n\nDo it like this.\n`

/** The files of the test's repositories, below the top folder of an archive. */
export const REPOSITORY_FILES: TarEntry[] = [
  { name: 'README.md', text: '# Our skills\n' },
  { name: 'skills/release-notes/SKILL.md', text: skillText('release-notes') },
  { name: 'skills/release-notes/words.md', text: '---\nname: words\n---\n\nNot a skill here.\n' },
  { name: 'skills/triage/SKILL.md', text: skillText('Triage', 'argument-hint: "[ticket]"\n') },
  { name: 'notes/plan.md', text: skillText('plan') },
  { name: 'notes/other.md', text: '---\ntitle: Of a web page\n---\n\nNo skill.\n' },
  { name: 'notes/deep/far.md', text: skillText('far') },
]

const inFolder = (folder: string, files: readonly TarEntry[]): TarEntry[] => [
  {
    name: 'pax_global_header',
    type: 'g',
    text: '52 comment=0123456789012345678901234567890123456789\n',
  },
  { name: `${folder}/`, type: '5' },
  ...files.map((file) => ({ ...file, name: `${folder}/${file.name}` })),
]

/** Starts a local code host of each layout. It returns the archives published at each path. */
export function codeHosts(w: Pick<World, 'config'>) {
  const requestedPaths: string[] = []
  const archives = new Map<string, Uint8Array<ArrayBuffer> | string>()
  const serve = () =>
    Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1' },
      fetch(request) {
        const { pathname } = new URL(request.url)
        requestedPaths.push(pathname)
        const archive = archives.get(pathname)
        if (archive === undefined) return new Response('Not found', { status: 404 })
        return typeof archive === 'string' ? Response.redirect(archive) : new Response(archive)
      },
    })
  const [github, gitlab] = [serve(), serve()]
  const originOf = ({ port }: { port?: number | undefined }) => `http://127.0.0.1:${port}`
  const origins = { github: originOf(github), gitlab: originOf(gitlab) }
  w.config.allowHosts.push('127.0.0.1')
  w.config.skillHosts.push(
    { origin: origins.github, layout: 'github' },
    { origin: origins.gitlab, layout: 'gitlab' },
  )
  /** Both hosts have one repository with two branches. */
  const publish = (files: readonly TarEntry[] = REPOSITORY_FILES) => {
    for (const ref of ['main', 'feature/new', 'HEAD']) {
      const name = ref.replaceAll('/', '-')
      // GitHub redirects to another host.
      archives.set(`/ada/kit/archive/${ref}.tar.gz`, `${origins.github}/packed/kit-${name}`)
      archives.set(`/packed/kit-${name}`, tarGz(inFolder(`kit-${name}`, files)))
      const gitlabArchive = tarGz(inFolder(`kit-${name}-0123456`, files))
      archives.set(`/crew/tools/kit/-/archive/${ref}/kit-${name}.tar.gz`, gitlabArchive)
    }
  }
  publish()
  return {
    ...origins,
    requestedPaths,
    archives,
    publish,
    skillsUrl: `${origins.github}/ada/kit/tree/main/skills`,
    [Symbol.dispose]() {
      void github.stop(true)
      void gitlab.stop(true)
    },
  }
}

/** A code host that runs until the tests end, with one skill in its repository `ada/kit`. */
export function startKitHost(w: Pick<World, 'config'>): string {
  kitServer ??= Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: () =>
      new Response(tarGz([{ name: 'kit/skills/triage/SKILL.md', text: skillText('triage') }])),
  })
  kitServer.unref()
  const origin = `http://127.0.0.1:${kitServer.port}`
  w.config.allowHosts.push('127.0.0.1')
  w.config.skillHosts.push({ origin, layout: 'github' })
  return origin
}
let kitServer: ReturnType<typeof Bun.serve> | undefined
