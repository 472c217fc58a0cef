import type { RecordOf } from '../schema.ts'
import { addUnique, InvalidRecord, isCyclic } from './record.ts'

/** Longest text of a page, in any of its versions. */
const MAX_LENGTH = 1_048_576

interface Page {
  task: string
  /** The version expected next, newest first, and the length of its text. */
  version: number
  length: number
}

/** Checks that the versions of each page form a complete history. */
export class PageValidator {
  private readonly pages = new Map<string, Page>()
  private readonly ids = new Set<string>()
  private readonly parents = new Map<string, string>()

  page({ task, public_id, parent, version, content }: RecordOf<'page'>): void {
    addUnique(this.ids, 'pages', public_id)
    this.pages.set(public_id, { task, version, length: content.length })
    if (parent !== null) this.parents.set(public_id, parent)
  }

  version({ task, page, version, back }: RecordOf<'page_version'>): void {
    const expected = this.pages.get(page)
    if (expected?.task !== task)
      throw new InvalidRecord(`a version belongs to the page ${page}, which ${task} does not have`)
    if (version !== expected.version)
      throw new InvalidRecord(
        `version ${version} of the page ${page} comes where version ${expected.version} is expected`,
      )
    if ((back === null) !== (version === 1))
      throw new InvalidRecord(
        `version ${version} of the page ${page} does not match the previous version`,
      )
    expected.version--
    expected.length = (back ?? []).reduce(
      (sum, step) => sum + stepLength(step, expected.length, page),
      0,
    )
    if (expected.length > MAX_LENGTH)
      throw new InvalidRecord(`the text of the page ${page} is too long`)
  }

  finish(): void {
    for (const [page, { version }] of this.pages)
      if (version !== 0) throw new InvalidRecord(`the page ${page} lacks its version ${version}`)
    for (const [page, parent] of this.parents) {
      if (this.pages.get(parent)?.task !== this.pages.get(page)!.task)
        throw new InvalidRecord(
          `the page ${page} is nested under a page that its task does not have`,
        )
      if (isCyclic(this.parents, page))
        throw new InvalidRecord(`the page ${page} is nested under itself`)
    }
  }
}

type Step = NonNullable<RecordOf<'page_version'>['back']>[number]

function stepLength(step: Step, length: number, page: string): number {
  if (typeof step === 'string') return step.length
  const [from, to] = step
  if (from > to || to > length)
    throw new InvalidRecord(`a version of the page ${page} refers to characters that do not exist`)
  return to - from
}
