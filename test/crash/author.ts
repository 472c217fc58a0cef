import { parse } from '../json.ts'
import type { Chance } from './chance.ts'
import type { Target } from './writer.ts'

/** The versions of a page that the server acknowledged to its author. */
export interface Leaf {
  page_id: number
  /** The text of each version, oldest first. */
  texts: string[]
  archived: boolean
  /** The state after a write that got no response. */
  pending?: Pick<Leaf, 'texts' | 'archived'>
}

interface Remark {
  comment_id: number
  /** Undefined if the comment was deleted. */
  text: string | undefined
  pending?: { text: string | undefined }
}

interface Answer {
  status: number
  body: { data: Record<string, number> }
}

const CONSONANTS = 'bcdfghjklmnpqrtvwxz'

/**
 * Writes pages, comments and a description on its own task without pause, and remembers what was
 * acknowledged. Every text contains a word that no other text contains.
 */
export class Author {
  readonly leaves: Leaf[] = []
  readonly remarks: Remark[] = []
  /** The words of all texts written since the last audit, including texts that are gone. */
  words: string[] = []
  acknowledged = 0
  unanswered = 0
  readonly wrong: string[] = []
  private deleted = false

  constructor(
    readonly task_id: number,
    private readonly chance: Chance,
    private readonly boards: readonly number[],
  ) {}

  async work(target: Target): Promise<void> {
    while (!target.killed) await this.act(target)
  }

  private async act(target: Target): Promise<void> {
    if (this.deleted) return this.change(target, { status: 'Normal' })
    const alive = this.leaves.filter(({ archived, pending }) => !archived && !pending)
    const leaf = alive.length ? this.chance.of(alive.slice(-6)) : undefined
    const deeds: (() => Promise<void>)[] = [
      () => this.begin(target),
      () => this.remark(target),
      () => this.change(target, { description: `Described: ${this.text()}` }),
    ]
    if (leaf)
      deeds.push(
        ...Array(4).fill(() => this.add(target, leaf)),
        ...Array(3).fill(() => this.rewrite(target, leaf)),
        () => this.restore(target, leaf),
      )
    if (this.chance.onceIn(15)) return this.rare(target, leaf)
    return this.chance.of(deeds)()
  }

  private rare(target: Target, leaf: Leaf | undefined): Promise<void> {
    if (leaf && this.chance.onceIn(2)) return this.archive(target, leaf)
    if (this.chance.onceIn(2)) return this.change(target, { status: 'Deleted' })
    return this.move(target)
  }

  /** Some plain words and one that is unique to this text. */
  private text(): string {
    const letters = Array.from({ length: 10 }, () => CONSONANTS[this.chance.below(19)])
    const word = letters.join('')
    this.words.push(word)
    return `The ${this.chance.of(['harbour', 'lighthouse', 'ferry'])} knows ${word} by heart.`
  }

  private async begin(target: Target): Promise<void> {
    const content = `# Begun\n\n${this.text()}`
    const path = `/api/v1/tasks/${this.task_id}/pages`
    const answer = await this.send(target, 'POST', path, { content })
    if (!answer) return
    if (this.refused(answer, 201, path)) return
    this.leaves.push({ page_id: answer.body.data.page_id!, texts: [content], archived: false })
  }

  private add(target: Target, leaf: Leaf): Promise<void> {
    const mode = this.chance.of(['append', 'prepend'])
    const [piece, was] = [this.text(), leaf.texts.at(-1)!]
    const whole = mode === 'append' ? `${was}\n\n${piece}` : `${piece}\n\n${was}`
    return this.rewriteAs(target, leaf, whole, { mode, content: piece })
  }

  private rewrite(target: Target, leaf: Leaf): Promise<void> {
    const blocks = leaf.texts.at(-1)!.split('\n\n')
    blocks.splice(this.chance.below(blocks.length), 1, this.text())
    const content = blocks.join('\n\n')
    return this.rewriteAs(target, leaf, content, { content, if_version: leaf.texts.length })
  }

  private async rewriteAs(target: Target, leaf: Leaf, whole: string, sent: object) {
    await this.settle(leaf, { texts: [...leaf.texts, whole], archived: false }, () =>
      this.send(target, 'PATCH', `/api/v1/pages/${leaf.page_id}`, sent),
    )
  }

  private async restore(target: Target, leaf: Leaf): Promise<void> {
    const path = `/api/v1/pages/${leaf.page_id}/versions?limit=50`
    const listed = await this.send(target, 'GET', path)
    if (!listed) return
    const rows = listed.body.data as unknown as { version_id: number; version: number }[]
    const { version_id, version } = this.chance.of(rows)
    const text = leaf.texts[version - 1]!
    // Restoring the current text creates no version.
    if (text === leaf.texts.at(-1)) return
    await this.settle(leaf, { texts: [...leaf.texts, text], archived: false }, () =>
      this.send(target, 'POST', `/api/v1/pages/${leaf.page_id}/restore`, { version_id }),
    )
  }

  private archive(target: Target, leaf: Leaf): Promise<void> {
    return this.settle(leaf, { texts: leaf.texts, archived: true }, () =>
      this.send(target, 'DELETE', `/api/v1/pages/${leaf.page_id}`),
    )
  }

  private async settle(
    leaf: Leaf,
    after: Pick<Leaf, 'texts' | 'archived'>,
    deed: () => Promise<Answer | undefined>,
  ): Promise<void> {
    leaf.pending = after
    const answer = await deed()
    if (!answer) return
    leaf.pending = undefined
    if (!this.refused(answer, 200, `page ${leaf.page_id}`)) Object.assign(leaf, after)
  }

  private async remark(target: Target): Promise<void> {
    const known = this.remarks.filter(({ text, pending }) => text && !pending).slice(-4)
    const one = known.length && this.chance.onceIn(2) ? this.chance.of(known) : undefined
    if (one) return this.revise(target, one)
    const text = this.text()
    const path = `/api/v1/tasks/${this.task_id}/comments`
    const answer = await this.send(target, 'POST', path, { text, content_type: 'markdown' })
    if (!answer || this.refused(answer, 201, path)) return
    this.remarks.push({ comment_id: answer.body.data.comment_id!, text })
  }

  private async revise(target: Target, one: Remark): Promise<void> {
    const text = this.chance.onceIn(3) ? undefined : this.text()
    const path = `/api/v1/comments/${one.comment_id}`
    one.pending = { text }
    const answer = text
      ? await this.send(target, 'PATCH', path, { text, content_type: 'markdown' })
      : await this.send(target, 'DELETE', path)
    if (!answer) return
    one.pending = undefined
    if (!this.refused(answer, 200, path)) one.text = text
  }

  private async change(target: Target, sent: { status?: string; description?: string }) {
    const path = `/api/v1/tasks/${this.task_id}`
    const body = sent.description ? { ...sent, content_type: 'markdown' } : sent
    const answer = await this.send(target, 'PATCH', path, body)
    // Without a response the task may be deleted, so it is restored, which is right in both cases.
    if (sent.status) this.deleted = sent.status === 'Deleted' || !answer
    if (answer) this.refused(answer, 200, path)
  }

  private async move(target: Target): Promise<void> {
    const path = `/api/v1/tasks/${this.task_id}/move`
    const body = { target_project_id: this.chance.of(this.boards) }
    const answer = await this.send(target, 'POST', path, body)
    // Moving a task to its own board is refused with 400.
    if (answer && answer.status !== 200 && answer.status !== 400) this.refused(answer, 200, path)
  }

  private refused({ status, body }: Answer, expected: number, what: string): boolean {
    if (status === expected) this.acknowledged++
    else this.wrong.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
    return status !== expected
  }

  /** Undefined if there was no response, which is an error unless the server was killed. */
  private async send(
    target: Target,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer | undefined> {
    const headers = {
      authorization: `Bearer ${target.secret}`,
      'content-type': 'application/json',
    }
    try {
      const response = await fetch(target.url + path, {
        ...{ method, headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: parse(await response.text()) }
    } catch (error) {
      this.unanswered++
      if (!target.killed) this.wrong.push(`${method} ${path}: ${(error as Error).message}`)
      return undefined
    }
  }
}
