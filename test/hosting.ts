import type { World } from './world.ts'

export interface Packed {
  name: string
  text?: string
  /** Of the entry; a file where nothing is said. */
  type?: string
  link?: string
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

function header({ name, text = '', type = '0', link = '' }: Packed): Uint8Array {
  const head = new Uint8Array(512)
  const put = (at: number, words: string) => head.set(bytesOf(words), at)
  put(0, name)
  put(100, '0000644\0')
  put(124, `${bytesOf(text).length.toString(8).padStart(11, '0')}\0`)
  put(136, '00000000000\0')
  put(148, ' '.repeat(8))
  put(156, type)
  put(157, link)
  put(257, 'ustar\0')
  const sum = head.reduce((all, byte) => all + byte, 0)
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `)
  return head
}

/** A tar file as git writes it. */
export function tar(entries: readonly Packed[]): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap((entry) => {
    const body = bytesOf(entry.text ?? '')
    return [header(entry), body, new Uint8Array((512 - (body.length % 512)) % 512)]
  })
  return new Uint8Array(Buffer.concat([...parts, new Uint8Array(1024)]))
}

/** A name that does not fit its header stands in one before it. */
export function longNamed(name: string, text: string): Packed[] {
  const record = ` path=${name}\n`
  const length = record.length + String(record.length + 2).length
  const told = { name: 'pax', type: 'x', text: `${length}${record}` }
  return [told, { name: name.slice(0, 99), text }]
}

export const packed = (entries: readonly Packed[]) => Bun.gzipSync(tar(entries))

export const skill = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: How to do ${name}\n${more}---\n\n# ${name}\n\nDo it like this.\n`

/** What lies in the repositories of the test, below the directory that an archive begins with. */
export const FILES: Packed[] = [
  { name: 'README.md', text: '# Our skills\n' },
  { name: 'skills/release-notes/SKILL.md', text: skill('release-notes') },
  { name: 'skills/release-notes/words.md', text: '---\nname: words\n---\n\nNot a skill here.\n' },
  { name: 'skills/triage/SKILL.md', text: skill('Triage', 'argument-hint: "[ticket]"\n') },
  { name: 'notes/plan.md', text: skill('plan') },
  { name: 'notes/other.md', text: '---\ntitle: Of a web page\n---\n\nNo skill.\n' },
  { name: 'notes/deep/far.md', text: skill('far') },
]

const under = (top: string, files: readonly Packed[]): Packed[] => [
  {
    name: 'pax_global_header',
    type: 'g',
    text: '52 comment=0123456789012345678901234567890123456789\n',
  },
  { name: `${top}/`, type: '5' },
  ...files.map((file) => ({ ...file, name: `${top}/${file.name}` })),
]

/** A code host of each layout on this machine, which sends what is put under an address. */
export function codeHosts(w: Pick<World, 'config'>) {
  const asked: string[] = []
  const answers = new Map<string, Uint8Array<ArrayBuffer> | string>()
  const serve = () =>
    Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1' },
      fetch(request) {
        const { pathname } = new URL(request.url)
        asked.push(pathname)
        const answer = answers.get(pathname)
        if (answer === undefined) return new Response('Not found', { status: 404 })
        return typeof answer === 'string' ? Response.redirect(answer) : new Response(answer)
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
  /** What both hosts know at first: two branches of one repository each. */
  const put = (files: readonly Packed[] = FILES) => {
    for (const ref of ['main', 'feature/new', 'HEAD']) {
      const name = ref.replaceAll('/', '-')
      // The real one sends its archives from another host.
      answers.set(`/ada/kit/archive/${ref}.tar.gz`, `${origins.github}/packed/kit-${name}`)
      answers.set(`/packed/kit-${name}`, packed(under(`kit-${name}`, files)))
      const gitlabs = packed(under(`kit-${name}-0123456`, files))
      answers.set(`/crew/tools/kit/-/archive/${ref}/kit-${name}.tar.gz`, gitlabs)
    }
  }
  put()
  return {
    ...origins,
    asked,
    answers,
    put,
    at: `${origins.github}/ada/kit/tree/main/skills`,
    [Symbol.dispose]() {
      void github.stop(true)
      void gitlab.stop(true)
    },
  }
}

/** A host that is there as long as the tests run, with a skill in its repository `ada/kit`. */
export function kitHost(w: Pick<World, 'config'>): string {
  kit ??= Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: () =>
      new Response(packed([{ name: 'kit/skills/triage/SKILL.md', text: skill('triage') }])),
  })
  kit.unref()
  const origin = `http://127.0.0.1:${kit.port}`
  w.config.allowHosts.push('127.0.0.1')
  w.config.skillHosts.push({ origin, layout: 'github' })
  return origin
}
let kit: ReturnType<typeof Bun.serve> | undefined
