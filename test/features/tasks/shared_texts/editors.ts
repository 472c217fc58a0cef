import { EditorState } from '@codemirror/state'
import { TextSync } from '../../../../src/web/entities/editor/shared-text/sync.ts'
import type { Actor } from '../../../support/world.ts'

export interface TextAddress {
  task_id?: number
  page_id?: number
}

/** An editor as the app has it, without a page. */
export class Editor {
  private constructor(
    readonly actor: Actor,
    readonly address: TextAddress,
    readonly sync: TextSync,
    public state: EditorState,
  ) {}

  static async open(actor: Actor, address: TextAddress, client_id: string): Promise<Editor> {
    const { number, text } = await actor['shared_texts.get'](address)
    const sync = new TextSync({ number, text: text! }, client_id)
    const state = EditorState.create({ doc: sync.base, extensions: sync.extension() })
    return new Editor(actor, address, sync, state)
  }

  get text() {
    return this.state.doc.toString()
  }

  replace(from: number, to: number, insert: string) {
    this.state = this.state.update({ changes: { from, to, insert } }).state
  }

  /** Sends what was typed, once. Returns whether the server accepted it. */
  async push(): Promise<boolean> {
    const pushed = this.sync.pushed(this.state) as Parameters<Actor['shared_texts.push']>[0]
    const answer = await this.actor['shared_texts.push']({ ...this.address, ...pushed })
    if (answer.accepted) this.apply(this.sync.confirm(this.state, pushed))
    else if (answer.missing) this.apply(this.sync.receive(this.state, answer.missing))
    else await this.pull()
    return answer.accepted
  }

  async pull() {
    const after = this.sync.number(this.state)
    const answer = await this.actor['shared_texts.get']({ ...this.address, after })
    const { number, text, changes } = answer
    if (changes) this.apply(this.sync.receive(this.state, changes))
    else this.apply(this.sync.merge(this.state, { number, text: text! }))
  }

  /** Sends and receives until the server has everything that was typed. */
  async settle() {
    while (this.sync.hasUnconfirmed(this.state)) await this.push()
    await this.pull()
  }

  private apply(transaction: { state: EditorState } | undefined) {
    if (transaction) this.state = transaction.state
  }
}
