import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab'
import {
  ChangeSet,
  EditorState,
  type Extension,
  type Text,
  type Transaction,
} from '@codemirror/state'
import { changesBetween, toText } from '../../../../kernel/text-changes/index.ts'
import type { SentChanges } from '../../../data/browser-storage.ts'

/** A change of the text as the server numbers it. */
export interface NumberedChange {
  number: number
  client_id: string
  changes: unknown
}

/** The text with its number, as the server returns it. */
export interface NumberedText {
  number: number
  text: string
}

/** As many as the server takes in one request. */
const MAX_CHANGES = 200

/**
 * Keeps the document of an editor equal to the text of the server. It knows the number and the
 * text that both have in common; what was typed since is unconfirmed.
 */
export class TextSync {
  /** The text that the server is known to have. */
  base: Text
  /** CodeMirror counts received changes from 0. */
  private offset: number

  constructor(
    { number, text }: NumberedText,
    readonly client_id: string,
  ) {
    this.base = toText(text)
    this.offset = number
  }

  /** The extension of an editor whose document is `base`. */
  extension(): Extension {
    return [
      EditorState.lineSeparator.of('\n'),
      collab({ startVersion: 0, clientID: this.client_id }),
    ]
  }

  number(state: EditorState): number {
    return this.offset + getSyncedVersion(state)
  }

  hasUnconfirmed(state: EditorState): boolean {
    return sendableUpdates(state).length > 0
  }

  /** What to send next. */
  pushed(state: EditorState): SentChanges {
    const updates = sendableUpdates(state).slice(0, MAX_CHANGES)
    const { client_id } = this
    const changes = updates.map((update) => update.changes.toJSON())
    return { number: this.number(state), client_id, changes }
  }

  /** The server has accepted what was sent. */
  confirm(
    state: EditorState,
    { changes, number, client_id }: SentChanges,
  ): Transaction | undefined {
    const numbered = changes.map((change, index) => ({
      ...{ number: number + index + 1, client_id, changes: change },
    }))
    return this.receive(state, numbered)
  }

  /**
   * Applies changes of the server, beneath what is unconfirmed. Known changes are skipped;
   * undefined if there is nothing new. Throws if changes are missing in between.
   */
  receive(state: EditorState, changes: readonly NumberedChange[]): Transaction | undefined {
    const number = this.number(state)
    const fresh = changes.filter((change) => change.number > number)
    if (!fresh.length) return undefined
    if (fresh[0]!.number !== number + 1) throw new MissingChanges()
    return this.apply(
      state,
      fresh.map((change) => ({
        changes: ChangeSet.fromJSON(change.changes),
        clientID: change.client_id,
      })),
    )
  }

  /**
   * Merges a text whose history is unknown: its differences from the common text are applied
   * beneath what is unconfirmed.
   */
  merge(state: EditorState, { number, text }: NumberedText): Transaction {
    const changes = changesBetween(this.base.toString(), text)
    const transaction = this.apply(state, [{ changes, clientID: '' }])
    this.offset = number - getSyncedVersion(transaction.state)
    return transaction
  }

  /**
   * Makes a state that an editor has created from a text equal to the common text, under its
   * number.
   */
  rewind(state: EditorState, number: number): Transaction {
    const changes = changesBetween(state.doc.toString(), this.base.toString())
    const transaction = receiveUpdates(state, [{ changes, clientID: '' }])
    this.offset = number - getSyncedVersion(transaction.state)
    return transaction
  }

  /** Moves a position in the common text to where it is in the document. */
  shift(state: EditorState, { anchor, head }: { anchor: number; head: number }) {
    let moved = { anchor, head }
    for (const { changes } of sendableUpdates(state)) {
      const clip = (position: number) => changes.mapPos(Math.min(position, changes.length), 1)
      moved = { anchor: clip(moved.anchor), head: clip(moved.head) }
    }
    return moved
  }

  private apply(state: EditorState, updates: { changes: ChangeSet; clientID: string }[]) {
    for (const { changes } of updates) this.base = changes.apply(this.base)
    return receiveUpdates(state, updates)
  }
}

/** The changes in between have to be read first. */
export class MissingChanges extends Error {}
