import { fault } from '../../../../../kernel/fault.ts'
import { type Draft, draftOf, problemIn } from '../draft.ts'
import { FrontMatterError, hasFrontMatter, parseSkillFile } from '../front-matter.ts'
import { ArchiveError } from './tar.ts'
import { isSkillFile, MOST, type TextFile, tooMany } from './unpack.ts'

export interface Found {
  path: string
  draft: Draft
  /** Keys of the front matter that are not known. */
  unknown: string[]
}

/** The skills in these files: each SKILL.md, and other files whose front matter has a name. */
export function skillsAmong(files: readonly TextFile[], place: string): Found[] {
  const found = files.flatMap(({ path, text }) => {
    const isMeant = isSkillFile(path) || path === place
    return isMeant || hasFrontMatter(text) ? (read(path, text, isMeant) ?? []) : []
  })
  if (found.length) return found.sort((a, b) => (a.path < b.path ? -1 : 1))
  throw new ArchiveError(
    'not_found',
    'No skill found: no SKILL.md, and no other markdown file with a name in its front matter',
    'Open the directory of the skill on the code host and copy its URL',
  )
}

function read(path: string, text: string, isMeant: boolean): Found | undefined {
  try {
    const matter = parseSkillFile(text)
    if (!isMeant && matter.name === undefined) return undefined
    const problem = problemIn(matter)
    if (problem) throw new FrontMatterError(1, problem)
    return { path, draft: draftOf(matter), unknown: matter.unknown }
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    throw new ArchiveError(
      'invalid_format',
      `${path}, line ${error.line}: ${error.message}`,
      'Import another skill, or ask the author to fix the file',
    )
  }
}

export interface SelectedSkill extends Found {
  /** The slug under which to import it. */
  as?: string
}

/**
 * All skills, or the selected ones: `release-notes`, or `release-notes=ours` to import it under
 * another slug.
 */
export function selectSkills(
  found: readonly Found[],
  slugs: readonly string[] | undefined,
): SelectedSkill[] {
  const selection = slugs?.map((one) => one.split('=') as [string, string?])
  const selected = selection
    ? selection.map(([slug, as]) => ({
        ...findBySlug(found, slug),
        ...(as !== undefined && { as }),
      }))
    : [...found]
  const paths = new Map<string, string>()
  for (const { draft, path, as = draft.slug } of selected as SelectedSkill[]) {
    const before = paths.get(as)
    if (before !== undefined) throw duplicateSlug(as, before, path)
    paths.set(as, path)
  }
  if (selected.length > MOST.skills) throw tooMany()
  return selected
}

function findBySlug(found: readonly Found[], slug: string): Found {
  const [one, other] = found.filter(({ draft }) => draft.slug === slug)
  if (one && other) throw duplicateSlug(slug, one.path, other.path)
  if (one) return one
  const known = found.map(({ draft }) => draft.slug).slice(0, 20)
  throw fault.invalid(
    'slugs',
    'not_found',
    `No skill ${slug} found`,
    slug,
    `Found: ${known.join(', ')}`,
  )
}

const duplicateSlug = (slug: string, one: string, other: string) =>
  fault.invalid(
    'slugs',
    'conflict',
    `Two files have the slug ${slug}: ${one} and ${other}`,
    slug,
    'Import each directory separately, one of them with slugs ["slug=another-slug"]',
  )
