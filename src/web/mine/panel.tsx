import { Choices, Toggle, Values } from './choices.tsx'
import type { Look } from './look.ts'

interface Props {
  look: Look
  asleep: number
  onSave(): void
}

/** What is turned on here is seen at once, and stands in the address. */
export default function Panel({ look, asleep, onSave }: Props) {
  const { wanted, put, isAsleep, setAsleep, isChanged, reset } = look
  return (
    <>
      <Choices {...{ wanted, put }} />
      <Values name="Snoozed">
        <Toggle on={isAsleep} onTurn={() => setAsleep(!isAsleep)}>
          Show them too
          <span className="soft">{asleep || ''}</span>
        </Toggle>
      </Values>
      <footer>
        <button type="button" className="button quiet" disabled={!isChanged} onClick={reset}>
          Clear
        </button>
        <button type="button" className="button plain" onClick={onSave}>
          Save as a view…
        </button>
      </footer>
    </>
  )
}
