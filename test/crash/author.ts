import { parseJson } from '../support/json.ts'
import type { Random } from './random.ts'
import type { Target } from './writer.ts'

/** The versions of a page that the server acknowledged to its author. */
export interface PageHistory {
  page_id: number
  /** The text of each version, oldest first. */
  texts: string[]
  archived: boolean
  /** The state after a write that got no response. */
  pending?: Pick<PageHistory, 'texts' | 'archived'>
}

interface CommentState {
  comment_id: number
  /** Undefined if the comment was deleted. */
  text: string | undefined
  pending?: { text: string | undefined }
}

interface ApiResponse {
  status: number
  body: { data: Record<string, number> }
}

const CONSONANTS = 'bcdfghjklmnpqrtvwxz'

/**
 * Writes pages, comments and a description on its own task without pause, and remembers what was
 * acknowledged. Every text contains a word that no other text contains.
 */
export class Author {
  readonly pages: PageHistory[] = []
  readonly comments: CommentState[] = []
  /** The words of all texts written since the last audit, including texts that are gone. */
  words: string[] = []
  acknowledged = 0
  unanswered = 0
  readonly errors: string[] = []
  private isDeleted = false

  constructor(
    readonly task_id: number,
    private readonly random: Random,
    private readonly boards: readonly number[],
  ) {}

  async run(target: Target): Promise<void> {
    while (!target.isEnding) await this.writeOnce(target)
  }

  private async writeOnce(target: Target): Promise<void> {
    if (this.isDeleted) return this.updateTask(target, { status: 'Normal' })
    const writable = this.pages.filter(({ archived, pending }) => !archived && !pending)
    const page = writable.length ? this.random.pick(writable.slice(-6)) : undefined
    const actions: (() => Promise<void>)[] = [
      () => this.createPage(target),
      () => this.writeComment(target),
      () => this.updateTask(target, { description: `Described: ${this.newText()}` }),
    ]
    if (page)
      actions.push(
        ...Array(4).fill(() => this.addText(target, page)),
        ...Array(3).fill(() => this.replaceBlock(target, page)),
        () => this.restore(target, page),
      )
    if (this.random.onceIn(15)) return this.doRareAction(target, page)
    return this.random.pick(actions)()
  }

  private doRareAction(target: Target, page: PageHistory | undefined): Promise<void> {
    if (page && this.random.onceIn(2)) return this.archive(target, page)
    if (this.random.onceIn(2)) return this.updateTask(target, { status: 'Deleted' })
    return this.move(target)
  }

  /** Some plain words and one that is unique to this text. */
  private newText(): string {
    const consonants = Array.from({ length: 10 }, () => CONSONANTS[this.random.below(19)])
    const word = consonants.join('')
    this.words.push(word)
    return `The ${this.random.pick(['harbour', 'lighthouse', 'ferry'])} knows ${word} by heart.`
  }

  private async createPage(target: Target): Promise<void> {
    const content = `# Begun\n\n${this.newText()}`
    const path = `/api/v1/tasks/${this.task_id}/pages`
    const response = await this.send(target, 'POST', path, { content })
    if (!response) return
    if (this.isRefused(response, 201, path)) return
    this.pages.push({ page_id: response.body.data.page_id!, texts: [content], archived: false })
  }

  private addText(target: Target, page: PageHistory): Promise<void> {
    const mode = this.random.pick(['append', 'prepend'])
    const [piece, current] = [this.newText(), page.texts.at(-1)!]
    const fullText = mode === 'append' ? `${current}\n\n${piece}` : `${piece}\n\n${current}`
    return this.updatePage(target, page, fullText, { mode, content: piece })
  }

  private replaceBlock(target: Target, page: PageHistory): Promise<void> {
    const blocks = page.texts.at(-1)!.split('\n\n')
    blocks.splice(this.random.below(blocks.length), 1, this.newText())
    const content = blocks.join('\n\n')
    return this.updatePage(target, page, content, { content, if_version: page.texts.length })
  }

  private async updatePage(target: Target, page: PageHistory, fullText: string, body: object) {
    await this.savePage(page, { texts: [...page.texts, fullText], archived: false }, () =>
      this.send(target, 'PATCH', `/api/v1/pages/${page.page_id}`, body),
    )
  }

  private async restore(target: Target, page: PageHistory): Promise<void> {
    const path = `/api/v1/pages/${page.page_id}/versions?limit=50`
    const response = await this.send(target, 'GET', path)
    if (!response) return
    const rows = response.body.data as unknown as { version_id: number; version: number }[]
    const { version_id, version } = this.random.pick(rows)
    const text = page.texts[version - 1]!
    // Restoring the current text creates no version.
    if (text === page.texts.at(-1)) return
    await this.savePage(page, { texts: [...page.texts, text], archived: false }, () =>
      this.send(target, 'POST', `/api/v1/pages/${page.page_id}/restore`, { version_id }),
    )
  }

  private archive(target: Target, page: PageHistory): Promise<void> {
    return this.savePage(page, { texts: page.texts, archived: true }, () =>
      this.send(target, 'DELETE', `/api/v1/pages/${page.page_id}`),
    )
  }

  private async savePage(
    page: PageHistory,
    newState: Pick<PageHistory, 'texts' | 'archived'>,
    write: () => Promise<ApiResponse | undefined>,
  ): Promise<void> {
    page.pending = newState
    const response = await write()
    if (!response) return
    page.pending = undefined
    if (!this.isRefused(response, 200, `page ${page.page_id}`)) Object.assign(page, newState)
  }

  private async writeComment(target: Target): Promise<void> {
    const editable = this.comments.filter(({ text, pending }) => text && !pending).slice(-4)
    const comment =
      editable.length && this.random.onceIn(2) ? this.random.pick(editable) : undefined
    if (comment) return this.editComment(target, comment)
    const text = this.newText()
    const path = `/api/v1/tasks/${this.task_id}/comments`
    const response = await this.send(target, 'POST', path, { text, content_type: 'markdown' })
    if (!response || this.isRefused(response, 201, path)) return
    this.comments.push({ comment_id: response.body.data.comment_id!, text })
  }

  private async editComment(target: Target, comment: CommentState): Promise<void> {
    const text = this.random.onceIn(3) ? undefined : this.newText()
    const path = `/api/v1/comments/${comment.comment_id}`
    comment.pending = { text }
    const response = text
      ? await this.send(target, 'PATCH', path, { text, content_type: 'markdown' })
      : await this.send(target, 'DELETE', path)
    if (!response) return
    comment.pending = undefined
    if (!this.isRefused(response, 200, path)) comment.text = text
  }

  private async updateTask(target: Target, fields: { status?: string; description?: string }) {
    const path = `/api/v1/tasks/${this.task_id}`
    const body = fields.description ? { ...fields, content_type: 'markdown' } : fields
    const response = await this.send(target, 'PATCH', path, body)
    // Without a response the task may be deleted, so it is restored, which is right in both cases.
    if (fields.status) this.isDeleted = fields.status === 'Deleted' || !response
    if (response) this.isRefused(response, 200, path)
  }

  private async move(target: Target): Promise<void> {
    const path = `/api/v1/tasks/${this.task_id}/move`
    const body = { target_project_id: this.random.pick(this.boards) }
    const response = await this.send(target, 'POST', path, body)
    // Moving a task to its own board is refused with 400.
    if (response && response.status !== 200 && response.status !== 400)
      this.isRefused(response, 200, path)
  }

  private isRefused({ status, body }: ApiResponse, expected: number, label: string): boolean {
    if (status === expected) this.acknowledged++
    else this.errors.push(`${label}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
    return status !== expected
  }

  /** Undefined if there was no response, which is an error unless the server was killed. */
  private async send(
    target: Target,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<ApiResponse | undefined> {
    const headers = {
      authorization: `Bearer ${target.secret}`,
      'content-type': 'application/json',
    }
    try {
      const response = await fetch(target.url + path, {
        ...{ method, headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: parseJson(await response.text()) }
    } catch (error) {
      this.unanswered++
      if (!target.isEnding) this.errors.push(`${method} ${path}: ${(error as Error).message}`)
      return undefined
    }
  }
}
