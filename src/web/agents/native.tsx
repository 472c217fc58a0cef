import { useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { useDraft } from '../data/drafts.ts'
import { Kept } from '../parts/kept.tsx'

interface KindProps {
  isNative: boolean
  onChange(isNative: boolean): void
}

/** Who runs it: a program elsewhere, or this server. */
export const Kind = ({ isNative, onChange }: KindProps) => (
  <fieldset>
    <legend>How it runs</legend>
    <label className="check">
      <input type="radio" name="kind" checked={!isNative} onChange={() => onChange(false)} />
      Elsewhere, with a token of its own
    </label>
    <label className="check">
      <input type="radio" name="kind" checked={isNative} onChange={() => onChange(true)} />
      Run by Corkboard, without a token
    </label>
  </fieldset>
)

/** What is typed of them, kept until it is saved. */
export function useInstructions(agent_id = 'new') {
  const { found, keep, drop } = useDraft(`agent:${agent_id}`)
  const [typed, setTyped] = useState(found?.text)
  const [isKept, setKept] = useState(found !== undefined)
  return {
    ...{ typed, isKept, drop },
    put(text: string) {
      setTyped(text)
      keep(text)
    },
    anew() {
      drop()
      setTyped(undefined)
      setKept(false)
    },
  }
}

interface InstructionsProps {
  stored?: string | null
  typing: ReturnType<typeof useInstructions>
}

/** How it is to work, which the model is told before each run. */
export function Instructions({ stored, typing }: InstructionsProps) {
  const { typed, isKept, put, anew } = typing
  const { data: status } = useAsk('chat.status', {})
  return (
    <>
      <label className="labelled">
        Instructions
        <textarea
          className="field"
          rows={6}
          maxLength={10_000}
          dir="auto"
          placeholder="What it is for, how it writes, when it asks"
          value={typed ?? stored ?? ''}
          onChange={({ target }) => put(target.value)}
        />
      </label>
      <p className="note" role="status">
        <Kept {...{ isKept, anew }} />
      </p>
      {status && !status.configured && (
        <p className="soft" role="note">
          No model is set on this server, so its runs wait. {status.hint}
        </p>
      )}
    </>
  )
}
