import { useState } from 'react'
import { patchQuery, useOperation } from '../../../data/cache.ts'
import { callOperation } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { Conflict } from '../../../entities/editor/conflict.tsx'
import { useDraftText } from '../../../entities/editor/draft-text.ts'
import { Preview } from '../../../entities/editor/preview.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { type PartProps, runWrite } from './data.ts'
import { MarkdownField } from './markdown-field.tsx'
import { GuidanceForm, MEMBERS_ONLY } from './parts.tsx'
import { Versions } from './versions.tsx'

const ABOUT = t('settings.what_ai_should_do_on_this_board')

export default function Instructions({ board, may }: PartProps) {
  const { project_id } = board
  const instructions = useOperation('projects.get_instructions', { project_id })
  const { data } = instructions
  if (!data) return <LoadError of={instructions} what={t('settings.the_instructions')} />
  const storedText = data.custom_instruction ?? ''
  return (
    <SettingsSection
      title={t('settings.instructions_for_ai')}
      about={ABOUT}
      readOnly={!may.write && MEMBERS_ONLY}
    >
      {may.write ? (
        <InstructionsEditor {...{ project_id, storedText }} />
      ) : storedText ? (
        <Preview text={storedText} />
      ) : (
        <p className="none">{t('settings.no_instructions_yet')}</p>
      )}
      <Versions {...{ project_id, kind: 'instructions' }} may={may.write} />
    </SettingsSection>
  )
}

function InstructionsEditor({
  project_id,
  storedText,
}: {
  project_id: number
  storedText: string
}) {
  const { base, text, resetKey, conflict, isChanged, ...edit } = useInstructions(
    project_id,
    storedText,
  )
  if (conflict !== undefined)
    return (
      <Conflict
        ownText={text}
        otherText={conflict}
        onKeepOwn={() => void edit.save(conflict).catch(showError)}
        onUseOther={() => edit.replaceText(conflict, conflict)}
        onMerge={(nextText) => edit.replaceText(nextText, conflict)}
      />
    )
  const isOutdated = isChanged && storedText !== base
  const resetButton = (
    <button type="button" className="button quiet" onClick={edit.reset}>
      {t('settings.reset')}
    </button>
  )
  return (
    <GuidanceForm
      submitLabel={t('settings.save_instructions')}
      isChanged={isChanged}
      warning={isOutdated && t('settings.somebody_else_changed_them_save_to_compare')}
      action={storedText && resetButton}
      onDiscard={() => edit.replaceText(storedText, storedText)}
      onSave={() => edit.save(base)}
    >
      <MarkdownField
        label={t('settings.instructions_for_ai')}
        hint={t('settings.what_to_do_what_never_to_do')}
        {...{ text, resetKey }}
        onChange={edit.type}
      />
    </GuidanceForm>
  )
}

const UNKNOWN = '\0'

/** A hash that identifies the text a draft was based on. */
const hashOf = (text: string) =>
  [...text].reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) % 1_000_003, 7)

/** Instructions have no version to compare, so the stored text is read before saving over it. */
function useInstructions(project_id: number, storedText: string) {
  const draftText = useDraftText(`board ${project_id}:instructions`, storedText)
  const { text, resetKey, draft } = draftText
  // A draft based on another text must not be saved without showing both texts.
  const isOutdated = draft.stored !== undefined && draft.stored.base !== hashOf(storedText)
  const [base, setBase] = useState(isOutdated ? UNKNOWN : storedText)
  const [conflict, setConflict] = useState<string>()
  const isChanged = text.trim() !== base.trim()
  // Without edits, the latest text is shown.
  if (!isChanged && storedText !== base) {
    setBase(storedText)
    draftText.reset(storedText)
  }
  const replaceText = (nextText: string, from: string) => {
    setConflict(undefined)
    setBase(from)
    draftText.reset(nextText)
    if (nextText === from) draft.discard()
    else draft.save(nextText, hashOf(from))
  }
  const save = async (from: string) => {
    setConflict(undefined)
    const latest =
      (await callOperation('projects.get_instructions', { project_id })).custom_instruction ?? ''
    const next = text.trim()
    if (latest !== from && latest !== next) return setConflict(latest)
    if (await write(project_id, next, latest, t('settings.saved_the_instructions')))
      replaceText(next, next)
  }
  const reset = () => {
    void write(project_id, '', storedText, t('settings.reset_the_instructions'))
  }
  const type = (nextText: string) => draftText.type(nextText, hashOf(base))
  return { base, text, resetKey, conflict, isChanged, type, replaceText, save, reset }
}

function write(
  project_id: number,
  text: string,
  before: string,
  message?: string,
): Promise<boolean> {
  const custom_instruction = text || null
  return runWrite({
    change: () =>
      patchQuery('projects.get_instructions', { project_id }, (settings) => ({
        ...settings,
        custom_instruction,
      })),
    send: () => sendWrite('projects.set_instructions', { project_id, custom_instruction }),
    message,
    undo: () => write(project_id, before, text),
  })
}
