import { useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import { useDraft } from '../../data/drafts.ts'
import { RestoredNote } from '../../kit/restored-note.tsx'

interface KindProps {
  isNative: boolean
  onChange(isNative: boolean): void
}

/** Whether a program elsewhere runs the agent, or this server. */
export const Kind = ({ isNative, onChange }: KindProps) => (
  <fieldset>
    <legend>How it runs</legend>
    <label className="check">
      <input type="radio" name="kind" checked={!isNative} onChange={() => onChange(false)} />
      Run by an external program, with its own token
    </label>
    <label className="check">
      <input type="radio" name="kind" checked={isNative} onChange={() => onChange(true)} />
      Run by Corkboard, without a token
    </label>
  </fieldset>
)

/** The edited instructions, stored as a draft until they are saved. */
export function useInstructions(agent_id = 'new') {
  const { stored: found, save: keep, discard: drop } = useDraft(`agent:${agent_id}`)
  const [draftText, setDraftText] = useState(found?.text)
  const [isKept, setKept] = useState(found !== undefined)
  return {
    ...{ draftText, isKept, drop },
    put(text: string) {
      setDraftText(text)
      keep(text)
    },
    reset() {
      drop()
      setDraftText(undefined)
      setKept(false)
    },
  }
}

interface InstructionsProps {
  stored?: string | null
  draft: ReturnType<typeof useInstructions>
}

/** The instructions that the model gets before each run. */
export function Instructions({ stored, draft }: InstructionsProps) {
  const { draftText, isKept, put, reset } = draft
  const { data: status } = useOperation('chat.status', {})
  return (
    <>
      <label className="labelled">
        Instructions
        <textarea
          className="field"
          rows={6}
          maxLength={10_000}
          dir="auto"
          placeholder="Its purpose, its tone, when to ask"
          value={draftText ?? stored ?? ''}
          onChange={({ target }) => put(target.value)}
        />
      </label>
      <p className="note" role="status">
        <RestoredNote {...{ isRestored: isKept, reset }} />
      </p>
      {status && !status.configured && (
        <p className="soft" role="note">
          No model is set on this server, so its runs stay queued. {status.hint}
        </p>
      )}
    </>
  )
}
