import { useEffect, useRef } from 'react'
import { isComposing } from '../parts/composing.ts'
import { useComposing } from '../task/composing.ts'
import { writeBack } from './deeds.ts'
import { isAsked, type Note } from './shapes.ts'
import type { Triage } from './triage.ts'

/** Who asked is asked back; who said something is answered. */
export const verbOf = (note: Note) => (isAsked(note) ? 'Ask back' : 'Answer')
const SAID = { 'Ask back': 'Asked back', Answer: 'Answered' } as const

/** A line to whoever wants something, which goes to the task; the notification is put away. */
export function Back({ note, triage }: { note: Note; triage: Triage }) {
  const { notification_id, task } = note
  const field = useComposing(`${task.task_id}:back:${notification_id}`)
  const verb = verbOf(note)
  const words = field.text.trim()
  const close = () => {
    triage.setAnswering(undefined)
    triage.focus()
  }
  const send = async () => {
    if (!words) return
    triage.setAnswering(undefined)
    triage.leave([note])
    const isSaid = await writeBack(note, words, SAID[verb], field)
    // What was refused stands in its field again.
    if (!isSaid) triage.setAnswering(notification_id)
  }
  return (
    <form
      className="back"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Words
        {...{ note, verb, close }}
        text={field.text}
        onType={field.type}
        onSend={() => void send()}
      />
      <div className="end">
        <button type="button" className="button quiet" onClick={close}>
          Cancel
        </button>
        <button type="submit" className="button plain" disabled={!words}>
          {verb} and archive
        </button>
      </div>
    </form>
  )
}

interface WordsProps {
  note: Note
  verb: string
  text: string
  onType(words: string): void
  onSend(): void
  close(): void
}

function Words({ note: { actor, task }, verb, text, onType, onSend, close }: WordsProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [])
  return (
    <textarea
      ref={area}
      className="field"
      dir="auto"
      rows={2}
      aria-label={`${verb} on ${task.ticket_number}`}
      placeholder={`${verb}: ${actor.name} is told, and this is archived`}
      maxLength={100_000}
      value={text}
      onChange={({ target }) => onType(target.value)}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key === 'Escape') close()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend()
      }}
    />
  )
}
