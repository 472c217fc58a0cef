import { useAsk } from '../data/cache.ts'

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

interface InstructionsProps {
  value: string
  onChange(text: string): void
}

/** How it is to work, which the model is told before each run. */
export function Instructions({ value, onChange }: InstructionsProps) {
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
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
      {status && !status.configured && (
        <p className="soft" role="note">
          No model is set on this server, so its runs wait. {status.hint}
        </p>
      )}
    </>
  )
}
