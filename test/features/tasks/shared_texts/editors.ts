import { EditorState } from '@codemirror/state'
import { restore } from '../../../../src/web/entities/editor/shared-text/restore.ts'
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
    return Editor.over({ actor, address }, new TextSync({ number, text: text! }, client_id))
  }

  /** Continues what another editor has left, as after a reload. */
  static async restore(left: Editor, client_id: string): Promise<Editor> {
    const { actor, address, sync, state } = left
    const unconfirmed = { text: left.text, over: sync.base.toString(), sent: sync.pushed(state) }
    const { number } = unconfirmed.sent
    const answer = await actor['shared_texts.get']({ ...address, after: number })
    const { typed, ...numbered } = restore(unconfirmed, answer)
    const editor = Editor.over(left, new TextSync(numbered, client_id))
    for (const changes of typed) editor.apply(editor.state.update({ changes }))
    return editor
  }

  private static over({ actor, address }: Pick<Editor, 'actor' | 'address'>, sync: TextSync) {
    const state = EditorState.create({ doc: sync.base, extensions: sync.extension() })
    return new Editor(actor, address, sync, state)
  }

  get text() {
    return this.state.doc.toString()
  }

  replace(from: number, to: number, insert: string) {
    this.state = this.state.update({ changes: { from, to, insert } }).state
  }

  /** Sends what was typed, and never receives the answer. */
  send() {
    const pushed = this.sync.pushed(this.state) as Parameters<Actor['shared_texts.push']>[0]
    return this.actor['shared_texts.push']({ ...this.address, ...pushed })
  }

  /** Sends what was typed, once. Returns whether the server accepted it. */
  async push(): Promise<boolean> {
    const pushed = this.sync.pushed(this.state)
    const answer = await this.send()
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
