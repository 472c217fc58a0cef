import { addOnce, isInCircle, Wrong } from './record.ts'
import type { RecordOf } from './schema.ts'

/** The text of a page may have at most so many letters, in any of its versions. */
const MOST_LETTERS = 1_048_576

interface Page {
  task: string
  /** The version that comes next, the newest first, and the letters of its text. */
  version: number
  letters: number
}

/** The pages of a file that were read so far, and whether their versions make a history. */
export class SeenPages {
  private readonly pages = new Map<string, Page>()
  private readonly names = new Set<string>()
  private readonly parents = new Map<string, string>()

  page({ task, public_id, parent, version, content }: RecordOf<'page'>): void {
    addOnce(this.names, 'pages', public_id)
    this.pages.set(public_id, { task, version, letters: content.length })
    if (parent !== null) this.parents.set(public_id, parent)
  }

  version({ task, page, version, back }: RecordOf<'page_version'>): void {
    const of = this.pages.get(page)
    if (of?.task !== task)
      throw new Wrong(`a version is of the page ${page}, which ${task} has not`)
    if (version !== of.version)
      throw new Wrong(`version ${version} of the page ${page} stands where ${of.version} belongs`)
    if ((back === null) !== (version === 1))
      throw new Wrong(`version ${version} of the page ${page} does not lead to the one before it`)
    of.version--
    of.letters = (back ?? []).reduce((sum, step) => sum + lettersOf(step, of.letters, page), 0)
    if (of.letters > MOST_LETTERS) throw new Wrong(`the page ${page} has a text that is too long`)
  }

  finish(): void {
    for (const [page, { version }] of this.pages)
      if (version !== 0) throw new Wrong(`the page ${page} lacks its version ${version}`)
    for (const [page, parent] of this.parents) {
      if (this.pages.get(parent)?.task !== this.pages.get(page)!.task)
        throw new Wrong(`the page ${page} is nested under one that its task has not`)
      if (isInCircle(this.parents, page)) throw new Wrong(`the page ${page} is nested under itself`)
    }
  }
}

type Step = NonNullable<RecordOf<'page_version'>['back']>[number]

function lettersOf(step: Step, letters: number, page: string): number {
  if (typeof step === 'string') return step.length
  const [from, to] = step
  if (from > to || to > letters)
    throw new Wrong(`a version of the page ${page} takes letters that are not there`)
  return to - from
}
