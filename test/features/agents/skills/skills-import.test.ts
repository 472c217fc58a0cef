import { expect, test } from 'bun:test'
import { AGENT_SCOPES } from '../../../../src/features/identity/teams/model/index.ts'
import {
  codeHosts,
  longNameEntries,
  REPOSITORY_FILES,
  skillText,
  type TarEntry,
  tar,
  tarGz,
} from '../../../support/code-host-archives.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const ownSkills = async ({ ada }: World) => (await ada['skills.list']({})).items
const slugs = (rows: readonly { slug: string }[]) => rows.map(({ slug }) => slug)
const outcome = ({ skills }: { skills: readonly { slug: string; state: string }[] }) =>
  skills.map(({ slug, state }) => `${slug} ${state}`)

test('skills are imported from a directory on a host like GitHub, with their source URL', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const imported = await w.ada['skills.import']({ url: hosts.skillsUrl })
  expect(outcome(imported)).toEqual(['release-notes created', 'triage created'])
  expect(hosts.requestedPaths).toEqual(['/ada/kit/archive/main.tar.gz', '/packed/kit-main'])
  const skill = await w.ada['skills.get']({ skill_id: imported.skills[1]!.skill_id! })
  expect(skill).toMatchObject({
    ...{ name: 'Triage', slug: 'triage', description: 'How to do Triage', scope: 'user' },
    ...{ argument_hint: '[ticket]', body: '# Triage\n\nDo it like this.\n', enabled: true },
    source: `${hosts.github}/ada/kit/blob/main/skills/triage/SKILL.md`,
  })
  expect(await w.changeTypes()).toEqual(['skill.created', 'skill.created'])
})

test('skills are imported for a board from a nested group on a host like GitLab', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const { project_id } = w.board
  const url = `${hosts.gitlab}/crew/tools/kit/-/tree/main/skills?ref_type=heads`
  const imported = await w.cleo['skills.import']({ url, scope: 'project', project_id })
  expect(outcome(imported)).toEqual(['release-notes created', 'triage created'])
  expect(imported).toMatchObject({ scope: 'project', project_id, dry_run: false })
  expect(hosts.requestedPaths).toEqual(['/crew/tools/kit/-/archive/main/kit-main.tar.gz'])
  const { items } = await w.gus['skills.list']({}).then(() => w.ada['skills.list']({ project_id }))
  expect(slugs(items)).toEqual(['release-notes', 'triage'])
  expect(items[0]!.source).toBe(
    `${hosts.gitlab}/crew/tools/kit/-/blob/main/skills/release-notes/SKILL.md`,
  )
  expect(await ownSkills(w)).toEqual([])
})

test('a URL can name a repository, a single file, or a branch with a slash in its name', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const { github, gitlab } = hosts
  const found = async (url: string) =>
    slugs((await w.ada['skills.import']({ url, dry_run: true })).skills)
  expect(await found(`${github}/ada/kit`)).toEqual(['release-notes', 'triage'])
  expect(await found(`${github}/ada/kit.git`)).toEqual(['release-notes', 'triage'])
  expect(await found(`${gitlab}/crew/tools/kit`)).toEqual(['release-notes', 'triage'])
  expect(await found(`${github}/ada/kit/blob/main/skills/triage/SKILL.md`)).toEqual(['triage'])
  expect(await found(`${github}/ada/kit/blob/main/notes/deep/far.md`)).toEqual(['far'])
  expect(await found(`${gitlab}/crew/tools/kit/-/blob/main/notes/plan.md`)).toEqual(['plan'])
  hosts.requestedPaths.length = 0
  expect(await found(`${github}/ada/kit/tree/feature/new/skills/triage`)).toEqual(['triage'])
  expect(hosts.requestedPaths).toEqual([
    '/ada/kit/archive/feature.tar.gz',
    ...['/ada/kit/archive/feature/new.tar.gz', '/packed/kit-feature-new'],
  ])
  expect(await found(`${gitlab}/crew/tools/kit/-/tree/feature/new/skills`)).toHaveLength(2)
})

test('Markdown files directly in the directory are imported if their front matter has a name', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const url = `${hosts.github}/ada/kit/tree/main/notes`
  expect(outcome(await w.ada['skills.import']({ url }))).toEqual(['plan created'])
})

test('a dry run previews each skill with the start of its text and stores nothing', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const preview = await w.ada['skills.import']({ url: hosts.skillsUrl, dry_run: true })
  expect(preview).toMatchObject({ dry_run: true, scope: 'user', project_id: null })
  expect(preview.skills[0]).toEqual({
    ...{ skill_id: null, slug: 'release-notes', name: 'release-notes', state: 'created' },
    found: 'release-notes',
    description: 'How to do release-notes',
    path: 'skills/release-notes/SKILL.md',
    source: `${hosts.github}/ada/kit/blob/main/skills/release-notes/SKILL.md`,
    body: '# release-notes\n\nDo it like this.\n',
  })
  expect(await ownSkills(w)).toEqual([])
  expect(await w.changeTypes()).toEqual([])
})

test('slugs select and rename skills; an unknown slug is refused with the ones that were found', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const one = await w.ada['skills.import']({ url: hosts.skillsUrl, slugs: ['triage=sort-it'] })
  expect(outcome(one)).toEqual(['sort-it created'])
  expect(slugs(await ownSkills(w))).toEqual(['sort-it'])
  const missing = await faultOf(w.ada['skills.import']({ url: hosts.skillsUrl, slugs: ['triag'] }))
  expect(missing).toMatchObject({
    ...{ code: 'invalid', details: { field: 'slugs', code: 'not_found', value: 'triag' } },
    hint: 'Found: release-notes, triage',
  })
})

test('importing again updates changed skills, and a disabled skill stays disabled', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const first = await w.ada['skills.import']({
    url: hosts.skillsUrl,
    slugs: ['release-notes', 'triage=t'],
  })
  const skill_id = first.skills[0]!.skill_id!
  await w.ada['skills.update']({ skill_id, enabled: false })
  const again = () => w.ada['skills.import']({ url: hosts.skillsUrl })
  expect(outcome(await again())).toEqual(['release-notes unchanged', 't unchanged'])
  hosts.publish(
    REPOSITORY_FILES.map((one) => ({ ...one, text: one.text?.replace('like this', 'like that') })),
  )
  const preview = await w.ada['skills.import']({ url: hosts.skillsUrl, dry_run: true })
  expect(outcome(preview)).toEqual(['release-notes updated', 't updated'])
  expect((await w.ada['skills.get']({ skill_id })).body).toContain('like this')
  expect(outcome(await again())).toEqual(['release-notes updated', 't updated'])
  expect(await w.ada['skills.get']({ skill_id })).toMatchObject({
    ...{ enabled: false, body: '# release-notes\n\nDo it like that.\n' },
  })
  expect(await ownSkills(w)).toHaveLength(2)
})

test('a slug taken by a skill of another source is reported as a conflict and not overwritten', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const { skill_id } = await w.ada['skills.create']({ name: 'Triage', body: 'My own way' })
  const imported = await w.ada['skills.import']({ url: hosts.skillsUrl })
  expect(outcome(imported)).toEqual(['release-notes created', 'triage conflict'])
  expect(imported.skills[1]).toMatchObject({
    skill_id,
    problem: `/triage is skill ${skill_id}, created here; to keep both, import with slugs ["triage=another-slug"]`,
  })
  expect((await w.ada['skills.get']({ skill_id })).body).toBe('My own way')
  const url = `${hosts.gitlab}/crew/tools/kit/-/tree/main/skills`
  const elsewhere = await w.ada['skills.import']({ url, slugs: ['release-notes'] })
  expect(elsewhere.skills[0]!.problem).toContain(`imported from ${hosts.github}/ada/kit/blob`)
  expect(
    outcome(await w.ada['skills.import']({ url: hosts.skillsUrl, slugs: ['triage=theirs'] })),
  ).toEqual(['theirs created'])
})

test('a URL is refused if its host is not configured or it names no directory of a repository', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const refusalOf = async (url: string) => {
    const { details, message, hint } = await faultOf(w.ada['skills.import']({ url }))
    expect(details).toMatchObject({ field: 'url', value: url })
    return { message, hint }
  }
  expect(await refusalOf('https://example.com/ada/kit')).toMatchObject({
    message: expect.stringMatching(/^Skills can be imported from https:\/\/github.com, https:/),
    hint: expect.stringContaining('CORK_SKILL_HOSTS'),
  })
  for (const path of [
    '/ada',
    '/ada/kit/issues/4',
    '/ada/kit/tree/main/..%2f..%2fetc',
    '/ada/kit/%E0%A4',
  ])
    expect((await refusalOf(hosts.github + path)).message).toContain('is not a directory')
  expect((await refusalOf(hosts.github.replace('//', '//ada:pw@') + '/ada/kit')).message).toContain(
    'is not a directory',
  )
  expect(hosts.requestedPaths).toEqual([])
  expect((await refusalOf(`${hosts.github}/ada/other/tree/a/b/c/d/e/f`)).message).toContain(
    'Repository or branch not found',
  )
  expect(hosts.requestedPaths).toHaveLength(4)
  expect((await refusalOf(`${hosts.github}/ada/kit/tree/main/nowhere`)).message).toBe(
    'nowhere is not in this repository',
  )
  w.config.allowHosts.length = 0
  expect((await refusalOf(hosts.skillsUrl)).message).toContain('is not a public address')
})

const notes = (text: string): TarEntry[] => [{ name: 'kit/SKILL.md', text }]
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `kit/${at}.txt`, text: '' }))

const BAD: [string, () => Uint8Array, RegExp][] = [
  [
    'no gzip',
    () => new TextEncoder().encode('<html>Sign in</html>'),
    /^The response of the host is not/,
  ],
  ['truncated', () => tarGz(notes(skillText('a'))).slice(0, 60), /damaged or incomplete/],
  [
    'a truncated tar',
    () => Bun.gzipSync(tar(notes(skillText('a'))).slice(0, 700)),
    /is incomplete/,
  ],
  ['no tar', () => Bun.gzipSync(new Uint8Array(2000).fill(65)), /is not a tar file/],
  ['a way out', () => tarGz([{ name: 'kit/../../SKILL.md', text: 'x' }]), /outside it: "kit\/\.\./],
  ['an absolute name', () => tarGz([{ name: '/etc/SKILL.md', text: 'x' }]), /outside it: "\/etc/],
  [
    'a way out in a long name',
    () => tarGz(longNameEntries('kit/../x/SKILL.md', 'x')),
    /outside it/,
  ],
  ['a link', () => tarGz([{ name: 'kit/SKILL.md', type: '2', link: '/etc/passwd' }]), /is a link/],
  ['a hard link', () => tarGz([{ name: 'kit/SKILL.md', type: '1', link: 'kit/a' }]), /is a link/],
  ['a device', () => tarGz([{ name: 'kit/SKILL.md', type: '3' }]), /an entry that is not a file/],
  ['too many files', () => tarGz(many(20_001)), /more than 20000 files/],
  ['too large a skill', () => tarGz(notes('x'.repeat(250_001))), /SKILL.md has more than 250000 b/],
  ['no text', () => tarGz(notes('\0')), /SKILL.md is not text/],
  ['no skill', () => tarGz([{ name: 'kit/README.md', text: '# Hello' }]), /^No skill found/],
  ['nothing', () => tarGz([]), /^No skill found/],
  [
    'no front matter',
    () => tarGz(notes('# Hello')),
    /^SKILL.md, line 1: The front matter is missing/,
  ],
  [
    'a bad line',
    () => tarGz(notes('---\nname: a\n<<<\n---\nx')),
    /^SKILL.md, line 3: Expected "key/,
  ],
  [
    'words that nobody sees',
    () => tarGz(notes(skillText('a', '').replace('Do it', 'Do \u{E0068}\u{E0069} it'))),
    /^SKILL.md, line 1: It contains invisible characters that a model would read/,
  ],
  [
    'no name',
    () => tarGz(notes('---\ndescription: a\n---\nx')),
    /^SKILL.md, line 1: name is missing/,
  ],
]

for (const [name, archive, reason] of BAD)
  test(`an invalid archive (${name}) is refused with its reason, and nothing is stored`, async () => {
    const w = await world()
    using hosts = codeHosts(w)
    hosts.archives.set('/packed/kit-HEAD', new Uint8Array(archive()))
    const { message, details } = await faultOf(
      w.ada['skills.import']({ url: `${hosts.github}/ada/kit` }),
    )
    expect(message).toMatch(reason)
    expect(details).toMatchObject({ field: 'url' })
    expect(await ownSkills(w)).toEqual([])
  })

test('a skill with a flag emoji is imported, although it contains invisible characters', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const flag = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'
  hosts.archives.set('/packed/kit-HEAD', new Uint8Array(tarGz(notes(skillText('a') + flag))))
  await w.ada['skills.import']({ url: `${hosts.github}/ada/kit` })
  expect(await ownSkills(w)).toHaveLength(1)
})

test('an archive that unpacks to more than 100 MB is refused', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  // A file of zeros. Its header states the size, as in a real archive bomb.
  const text = '\0'.repeat(101_000_000)
  hosts.archives.set('/packed/kit-HEAD', tarGz([{ name: 'kit/zeros.bin', text }]))
  const url = `${hosts.github}/ada/kit`
  const { message, details } = await faultOf(w.ada['skills.import']({ url }))
  expect(message).toBe('The unpacked archive has more than 100000000 bytes')
  expect(details).toMatchObject({ field: 'url', code: 'too_long' })
})

test('a link outside the requested directory is ignored; inside it the import is refused', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  hosts.publish([...REPOSITORY_FILES, { name: 'CLAUDE.md', type: '2', link: 'AGENTS.md' }])
  expect((await w.ada['skills.import']({ url: hosts.skillsUrl })).skills).toHaveLength(2)
  const { message } = await faultOf(w.ada['skills.import']({ url: `${hosts.github}/ada/kit` }))
  expect(message).toBe('CLAUDE.md is a link, and links are not followed')
})

test('two files with the same slug are refused, with both paths', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  hosts.publish([
    { name: 'a/SKILL.md', text: skillText('same') },
    { name: 'b/SKILL.md', text: skillText('Same') },
  ])
  const { message } = await faultOf(w.ada['skills.import']({ url: `${hosts.github}/ada/kit` }))
  expect(message).toBe('Two files have the slug same: a/SKILL.md and b/SKILL.md')
})

test('a path that is too long for a tar header is read from its pax record', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const path = `${'deep/'.repeat(40)}SKILL.md`
  hosts.archives.set('/packed/kit-HEAD', tarGz(longNameEntries(`kit/${path}`, skillText('deep'))))
  const { skills } = await w.ada['skills.import']({ url: `${hosts.github}/ada/kit` })
  expect(skills).toMatchObject([{ slug: 'deep', path }])
})

test('a caller who may not create the skills is refused before anything is fetched', async () => {
  const w = await world()
  using hosts = codeHosts(w)
  const { project_id } = w.board
  await w.ada['projects.invite_member']({ project_id, member_identifier: w.gus.caller.actor_id })
  const ask = { url: hosts.skillsUrl, scope: 'project', project_id } as const
  expect((await faultOf(w.gus['skills.import'](ask))).code).toBe('forbidden')
  expect((await faultOf(w.otto['skills.import'](ask))).code).toBe('not_found')
  expect((await faultOf(w.bot['skills.import']({ url: hosts.skillsUrl }))).message).toBe(
    'Agents have no skills of their own',
  )
  expect((await faultOf(w.bot['skills.import'](ask))).message).toBe(
    'This credential lacks the scope projects:instruct',
  )
  expect(hosts.requestedPaths).toEqual([])
  const scopes = [...AGENT_SCOPES, 'projects:instruct'] as const
  const guide = await w.addAgent(w.team_id, w.cleo, 'Guide', scopes)
  expect(slugs((await guide['skills.import'](ask)).skills)).toEqual(['release-notes', 'triage'])
})
