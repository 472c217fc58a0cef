import { fault } from '../../../kernel/fault.ts'
import { type Draft, draftOf, problemIn } from '../draft.ts'
import { BadMatter, isMatter, readMatter } from '../matter.ts'
import { BadArchive } from './tar.ts'
import { isSkillFile, MOST, type TextFile, tooMany } from './unpack.ts'

export interface Found {
  path: string
  draft: Draft
  /** Keys of its front matter that mean nothing here. */
  unknown: string[]
}

/** The skills among some files: each SKILL.md, and what else has front matter with a name. */
export function skillsAmong(files: readonly TextFile[], place: string): Found[] {
  const found = files.flatMap(({ path, text }) => {
    const isMeant = isSkillFile(path) || path === place
    return isMeant || isMatter(text) ? (read(path, text, isMeant) ?? []) : []
  })
  if (found.length) return found.sort((a, b) => (a.path < b.path ? -1 : 1))
  throw new BadArchive(
    'not_found',
    'No skill lies there: no SKILL.md, and no other markdown with a name in its front matter',
    'Open the directory of the skill on the code host and copy its address',
  )
}

function read(path: string, text: string, isMeant: boolean): Found | undefined {
  try {
    const matter = readMatter(text)
    if (!isMeant && matter.name === undefined) return undefined
    const problem = problemIn(matter)
    if (problem) throw new BadMatter(1, problem)
    return { path, draft: draftOf(matter), unknown: matter.unknown }
  } catch (error) {
    if (!(error instanceof BadMatter)) throw error
    throw new BadArchive(
      'invalid_format',
      `${path}, line ${error.line}: ${error.message}`,
      'Name the directory of another skill, or ask whoever made it to mend the file',
    )
  }
}

export interface Chosen extends Found {
  /** The slug that it was asked to be kept under. */
  as?: string
}

/** All, or those named: `release-notes`, or `release-notes=ours` to keep it under another slug. */
export function chosen(found: readonly Found[], slugs: readonly string[] | undefined): Chosen[] {
  const wanted = slugs?.map((one) => one.split('=') as [string, string?])
  const all = wanted
    ? wanted.map(([slug, as]) => ({ ...named(found, slug), ...(as !== undefined && { as }) }))
    : [...found]
  const seen = new Map<string, string>()
  for (const { draft, path, as = draft.slug } of all as Chosen[]) {
    const before = seen.get(as)
    if (before !== undefined) throw twice(as, before, path)
    seen.set(as, path)
  }
  if (all.length > MOST.skills) throw tooMany()
  return all
}

function named(found: readonly Found[], slug: string): Found {
  const [one, other] = found.filter(({ draft }) => draft.slug === slug)
  if (one && other) throw twice(slug, one.path, other.path)
  if (one) return one
  const known = found.map(({ draft }) => draft.slug).slice(0, 20)
  throw fault.invalid(
    'slugs',
    'not_found',
    `No skill ${slug} lies there`,
    slug,
    `There are ${known.join(', ')}`,
  )
}

const twice = (slug: string, one: string, other: string) =>
  fault.invalid(
    'slugs',
    'conflict',
    `Two files are called ${slug}: ${one} and ${other}`,
    slug,
    'Import the directory of each by itself, one of them with slugs ["slug=another-slug"]',
  )
