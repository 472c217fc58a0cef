import { lazy, Suspense, useState } from 'react'
import { patchQuery, useOperation } from '../../../data/cache.ts'
import { callOperation } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
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

const Conflict = lazy(() => import('../../../entities/editor/conflict.tsx'))

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
        <InstructionsEditor {...{ project_id, now: storedText }} />
      ) : storedText ? (
        <Preview text={storedText} />
      ) : (
        <p className="none">{t('settings.no_instructions_yet')}</p>
      )}
      <Versions {...{ project_id, kind: 'instructions' }} may={may.write} />
    </SettingsSection>
  )
}

function InstructionsEditor({ project_id, now }: { project_id: number; now: string }) {
  const { base, text, resetKey, clash, isChanged, ...edit } = useInstructions(project_id, now)
  if (clash !== undefined)
    return (
      <Suspense>
        <Conflict
          mine={text}
          theirs={clash}
          onMine={() => void edit.save(clash).catch(showError)}
          onTheirs={() => edit.take(clash, clash)}
          onMerge={(words) => edit.take(words, clash)}
        />
      </Suspense>
    )
  const isOutdated = isChanged && now !== base
  const resetButton = (
    <button type="button" className="button quiet" onClick={edit.reset}>
      {t('settings.reset')}
    </button>
  )
  return (
    <GuidanceForm
      verb={t('settings.save_instructions')}
      isChanged={isChanged}
      warning={isOutdated && t('settings.somebody_else_changed_them_save_to_compare')}
      action={now && resetButton}
      onDiscard={() => edit.take(now, now)}
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
  [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 1_000_003, 7)

/** Instructions have no version to compare, so the stored text is read before saving over it. */
function useInstructions(project_id: number, now: string) {
  const draftText = useDraftText(`board ${project_id}:instructions`, now)
  const { text, resetKey, draft } = draftText
  // A draft based on another text must not be saved without showing both texts.
  const isOutdated = draft.stored !== undefined && draft.stored.base !== hashOf(now)
  const [base, setBase] = useState(isOutdated ? UNKNOWN : now)
  const [clash, setClash] = useState<string>()
  const isChanged = text.trim() !== base.trim()
  // Without edits, the latest text is shown.
  if (!isChanged && now !== base) {
    setBase(now)
    draftText.reset(now)
  }
  const take = (words: string, from: string) => {
    setClash(undefined)
    setBase(from)
    draftText.reset(words)
    if (words === from) draft.discard()
    else draft.save(words, hashOf(from))
  }
  const save = async (from: string) => {
    setClash(undefined)
    const latest =
      (await callOperation('projects.get_instructions', { project_id })).custom_instruction ?? ''
    const next = text.trim()
    if (latest !== from && latest !== next) return setClash(latest)
    if (await write(project_id, next, latest, t('settings.saved_the_instructions')))
      take(next, next)
  }
  const reset = () => {
    void write(project_id, '', now, t('settings.reset_the_instructions'))
  }
  const type = (words: string) => draftText.type(words, hashOf(base))
  return { base, text, resetKey, clash, isChanged, type, take, save, reset }
}

function write(project_id: number, text: string, before: string, words?: string): Promise<boolean> {
  const custom_instruction = text || null
  return runWrite({
    made: sendWrite('projects.set_instructions', { project_id, custom_instruction }),
    back: patchQuery('projects.get_instructions', { project_id }, (own) => ({
      ...own,
      custom_instruction,
    })),
    words,
    undo: () => write(project_id, before, text),
  })
}
