import { useOperation } from '../../../data/cache.ts'
import { Conflict } from '../../../entities/editor/conflict.tsx'
import { Preview } from '../../../entities/editor/preview.tsx'
import { TextField } from '../../../kit/field.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import type { PartProps } from './data.ts'
import { LineListField } from './line-list-field.tsx'
import { MarkdownField } from './markdown-field.tsx'
import { GuidanceForm, MEMBERS_ONLY } from './parts.tsx'
import { usePlaybookEditor } from './playbook-editor.ts'
import { linesOf, NAMES, type PartName, type Playbook, textsOf } from './playbook-rules.ts'
import { Versions } from './versions.tsx'

const ABOUT = t('settings.how_work_is_done_on_this_board')

export default function PlaybookPart({ board, may }: PartProps) {
  const { project_id } = board
  const playbookQuery = useOperation('projects.get_playbook', { project_id })
  const { data } = playbookQuery
  if (!data) return <LoadError of={playbookQuery} what={t('settings.the_playbook')} />
  return (
    <>
      {may.write ? (
        <PlaybookEditor {...{ project_id, playbook: data }} />
      ) : (
        <ReadOnly playbook={data} />
      )}
      <Versions {...{ project_id, kind: 'playbook' }} may={may.write} />
    </>
  )
}

function ReadOnly({ playbook }: { playbook: Playbook }) {
  const { working_rules, notes, model_selected, definition_of_done } = playbook
  const text = [
    working_rules && `## ${NAMES.working_rules}\n\n${working_rules}`,
    definition_of_done.length &&
      `## ${NAMES.definition_of_done}\n\n${definition_of_done.map((one) => `- ${one}`).join('\n')}`,
    notes && `## ${NAMES.notes}\n\n${notes}`,
    model_selected && `## ${NAMES.model_selected}\n\n${model_selected}`,
  ].filter(Boolean)
  return (
    <SettingsSection title={t('settings.playbook')} about={ABOUT} readOnly={MEMBERS_ONLY}>
      {text.length ? (
        <Preview text={text.join('\n\n')} />
      ) : (
        <p className="none">{t('settings.no_playbook_yet')}</p>
      )}
    </SettingsSection>
  )
}

function PlaybookEditor({ project_id, playbook }: { project_id: number; playbook: Playbook }) {
  const editor = usePlaybookEditor(project_id, playbook)
  const { mine, changed, isOutdated, conflicts, resetKey, type } = editor
  const [part] = conflicts
  if (part) return <PartConflict {...{ editor, part }} />
  return (
    <SettingsSection title={t('settings.playbook')} about={ABOUT}>
      <GuidanceForm
        submitLabel={t('settings.save_playbook')}
        isChanged={changed.length > 0}
        warning={isOutdated && t('settings.somebody_else_changed_it_save_to_compare')}
        savedNote={
          isEmpty(playbook) ? '' : t('settings.version_version', { version: playbook.version })
        }
        onDiscard={editor.discardDraft}
        onSave={editor.save}
      >
        <h3>{t('settings.working_rules')}</h3>
        <MarkdownField
          label={t('settings.working_rules')}
          hint={t('settings.how_work_is_done_here_branches_reviews')}
          {...{ text: mine.working_rules, resetKey }}
          onChange={(text) => type('working_rules', text)}
        />
        <h3>{t('settings.definition_of_done')}</h3>
        <LineListField
          label={t('settings.definition_of_done')}
          placeholder={t('settings.add_a_criterion')}
          text={mine.definition_of_done}
          onChange={(text) => type('definition_of_done', text)}
        />
        <h3>{t('settings.notes')}</h3>
        <MarkdownField
          label={t('settings.notes')}
          hint={t('settings.anything_else_worth_knowing_markdown')}
          {...{ text: mine.notes, resetKey }}
          onChange={(text) => type('notes', text)}
        />
        <TextField
          label={<h3>{t('settings.model')}</h3>}
          maxLength={200}
          placeholder={t('settings.model_that_agents_should_use_optional')}
          value={mine.model_selected}
          onChange={(text) => type('model_selected', text)}
        />
      </GuidanceForm>
    </SettingsSection>
  )
}

type Editor = ReturnType<typeof usePlaybookEditor>

/** Resolves the conflict of a part that somebody else changed too. */
function PartConflict({ editor, part }: { editor: Editor; part: PartName }) {
  const { mine, base, choose } = editor
  return (
    <SettingsSection title={t('settings.part_conflicting_changes', { part: NAMES[part] })}>
      <Conflict
        key={part}
        ownText={mine[part]}
        otherText={base.texts[part]}
        onKeepOwn={() => choose(part, mine[part])}
        onUseOther={() => choose(part, base.texts[part])}
        onMerge={(text) => choose(part, text)}
      />
    </SettingsSection>
  )
}

const isEmpty = (playbook: Playbook) =>
  Object.values(textsOf(playbook)).every((one) => !linesOf(one).length)
