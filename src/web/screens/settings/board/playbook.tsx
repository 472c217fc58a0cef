import { lazy, Suspense } from 'react'
import { useOperation } from '../../../data/cache.ts'
import { Preview } from '../../../entities/editor/preview.tsx'
import { TextField } from '../../../kit/field.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { SettingsSection } from '../parts.tsx'
import type { PartProps } from './data.ts'
import { LineListField } from './line-list-field.tsx'
import { MarkdownField } from './markdown-field.tsx'
import { GuidanceForm, MEMBERS_ONLY } from './parts.tsx'
import { usePlaybookEditor } from './playbook-editor.ts'
import { linesOf, NAMES, type PartName, type Playbook, textsOf } from './playbook-rules.ts'
import { Versions } from './versions.tsx'

const Conflict = lazy(() => import('../../../entities/editor/conflict.tsx'))

const ABOUT =
  'How work is done on this board. People and agents get it with the board and with each task.'

export default function PlaybookPart({ board, may }: PartProps) {
  const { project_id } = board
  const playbookQuery = useOperation('projects.get_playbook', { project_id })
  const { data } = playbookQuery
  if (!data) return <LoadError of={playbookQuery} what="the playbook" />
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
    <SettingsSection title="Playbook" about={ABOUT} readOnly={MEMBERS_ONLY}>
      {text.length ? (
        <Preview text={text.join('\n\n')} />
      ) : (
        <p className="none">No playbook yet.</p>
      )}
    </SettingsSection>
  )
}

function PlaybookEditor({ project_id, playbook }: { project_id: number; playbook: Playbook }) {
  const editor = usePlaybookEditor(project_id, playbook)
  const { mine, changed, isOutdated, conflicts, resetKey, type } = editor
  const [part] = conflicts
  if (part) return <PartConflict {...{ own: editor, part }} />
  return (
    <SettingsSection title="Playbook" about={ABOUT}>
      <GuidanceForm
        verb="Save playbook"
        isChanged={changed.length > 0}
        warning={isOutdated && 'Somebody else changed it. Save to compare both versions.'}
        savedNote={isEmpty(playbook) ? '' : `Version ${playbook.version}`}
        onDiscard={editor.drop}
        onSave={editor.save}
      >
        <h3>Working rules</h3>
        <MarkdownField
          label="Working rules"
          hint="How work is done here: branches, reviews, who to ask. Markdown."
          {...{ text: mine.working_rules, resetKey }}
          onChange={(text) => type('working_rules', text)}
        />
        <h3>Definition of done</h3>
        <LineListField
          label="Definition of done"
          placeholder="Add a criterion"
          text={mine.definition_of_done}
          onChange={(text) => type('definition_of_done', text)}
        />
        <h3>Notes</h3>
        <MarkdownField
          label="Notes"
          hint="Anything else worth knowing. Markdown."
          {...{ text: mine.notes, resetKey }}
          onChange={(text) => type('notes', text)}
        />
        <TextField
          label={<h3>Model</h3>}
          maxLength={200}
          placeholder="Model that agents should use (optional)"
          value={mine.model_selected}
          onChange={(text) => type('model_selected', text)}
        />
      </GuidanceForm>
    </SettingsSection>
  )
}

type Editor = ReturnType<typeof usePlaybookEditor>

/** Resolves the conflict of a part that somebody else changed too. */
function PartConflict({ own, part }: { own: Editor; part: PartName }) {
  const { mine, base, choose } = own
  return (
    <SettingsSection title={`${NAMES[part]}: conflicting changes`}>
      <Suspense>
        <Conflict
          key={part}
          mine={mine[part]}
          theirs={base.texts[part]}
          onMine={() => choose(part, mine[part])}
          onTheirs={() => choose(part, base.texts[part])}
          onMerge={(text) => choose(part, text)}
        />
      </Suspense>
    </SettingsSection>
  )
}

const isEmpty = (playbook: Playbook) =>
  Object.values(textsOf(playbook)).every((one) => !linesOf(one).length)
