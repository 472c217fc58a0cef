import { useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import { useDraft } from '../../data/drafts.ts'
import { Check, TextAreaField } from '../../kit/field.tsx'
import { RestoredNote } from '../../kit/restored-note.tsx'
import { t } from '../../messages/t.ts'

interface KindProps {
  isNative: boolean
  onChange(isNative: boolean): void
}

/** Whether a program elsewhere runs the agent, or this server. */
export const Kind = ({ isNative, onChange }: KindProps) => (
  <fieldset>
    <legend>{t('agents.how_it_runs')}</legend>
    <Check name="kind" checked={!isNative} onChange={() => onChange(false)}>
      {t('agents.run_by_an_external_program_with_its')}
    </Check>
    <Check name="kind" checked={isNative} onChange={onChange}>
      {t('agents.run_by_corkboard_without_a_token')}
    </Check>
  </fieldset>
)

/** The edited instructions, stored as a draft until they are saved. */
export function useInstructions(agent_id = 'new') {
  const { stored: found, save: saveDraft, discard: discardDraft } = useDraft(`agent:${agent_id}`)
  const [draftText, setDraftText] = useState(found?.text)
  const [isRestored, setRestored] = useState(found !== undefined)
  return {
    ...{ draftText, isRestored, discardDraft },
    update(text: string) {
      setDraftText(text)
      saveDraft(text)
    },
    reset() {
      discardDraft()
      setDraftText(undefined)
      setRestored(false)
    },
  }
}

interface InstructionsProps {
  stored?: string | null
  draft: ReturnType<typeof useInstructions>
}

/** The instructions that the model gets before each run. */
export function Instructions({ stored, draft }: InstructionsProps) {
  const { draftText, isRestored, update, reset } = draft
  const { data: status } = useOperation('chat.status', {})
  return (
    <>
      <TextAreaField
        label={t('agents.instructions')}
        name="instructions"
        rows={6}
        maxLength={10_000}
        dir="auto"
        placeholder={t('agents.its_purpose_its_tone_when_to_ask')}
        value={draftText ?? stored ?? ''}
        onChange={update}
      />
      <p className="note" role="status">
        <RestoredNote {...{ isRestored, reset }} />
      </p>
      {status && !status.configured && (
        <p className="soft" role="note">
          {t('agents.no_model_is_set_on_this_server', { hint: status.hint ?? '' })}
        </p>
      )}
    </>
  )
}
