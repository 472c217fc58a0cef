import { useEffect, useState } from 'react'
import { callOperation, type Input } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { colorName } from '../../../entities/board/colors.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { InlineField } from '../../../kit/inline-edit.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { ColorButton } from './color-button.tsx'
import { type Label, type PartProps, patchBoard, reloadBoard, runWrite } from './data.ts'
import { AddForm, MEMBERS_ONLY } from './parts.tsx'

const ABOUT = t('settings.use_labels_for_areas_tracks_components_or')

export default function Labels({ board, may }: PartProps) {
  const { project_id, labels } = board
  const [labelToDelete, setLabelToDelete] = useState<Label>()
  const sorted = labels.toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <SettingsSection title={t('common.labels')} about={ABOUT} readOnly={!may.write && MEMBERS_ONLY}>
      {!labels.length && <p className="none">{t('settings.no_labels_yet')}</p>}
      <ul className="rows" aria-label={t('common.labels')}>
        {sorted.map((label) => (
          <li key={label.label_id} className="board-row">
            <div className="first">
              <ColorButton
                {...{ name: label.name, color: label.color, disabled: !may.write }}
                onPick={(color) => color && void change(board, label, { color })}
              />
              <InlineField
                label={t('settings.name_of_the_label_name', { name: label.name })}
                value={label.name}
                maxLength={100}
                disabled={!may.write}
                onSave={(name) => change(board, label, { name })}
              />
              {may.write && (
                <button
                  type="button"
                  className="button quiet only"
                  onClick={() => setLabelToDelete(label)}
                >
                  <Icon
                    name="trash"
                    label={t('settings.delete_the_label_name', { name: label.name })}
                  />
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {may.write && (
        <AddForm
          label={t('settings.name_of_a_new_label')}
          placeholder={t('settings.new_label')}
          submitLabel={t('settings.add_label')}
          maxLength={100}
          onAdd={(name) => add(project_id, name)}
        />
      )}
      {labelToDelete && (
        <RemoveLabel
          {...{ board, label: labelToDelete }}
          onClose={() => setLabelToDelete(undefined)}
        />
      )}
    </SettingsSection>
  )
}

type Fields = Pick<Input<'labels.update'>, 'name' | 'color'>

function change(
  board: PartProps['board'],
  label: Label,
  fields: Fields,
  isUndo = false,
): Promise<boolean> {
  const { project_id } = board
  const { label_id, name, color } = label
  const labels = board.labels.map((one) =>
    one.label_id === label_id ? ({ ...one, ...fields } as Label) : one,
  )
  const message = fields.name
    ? t('settings.renamed_name_to_name2', { name, name2: fields.name })
    : t('settings.changed_the_colour_of_name_to_colorname', {
        name,
        colorName: colorName(fields.color!).toLowerCase(),
      })
  const before = fields.name ? { name } : { color }
  return runWrite({
    change: () => patchBoard(project_id, { labels }),
    async send() {
      await sendWrite('labels.update', { project_id, label_id, ...fields })
      reloadBoard(project_id)
    },
    message: isUndo ? undefined : message,
    undo: () => change({ ...board, labels }, { ...label, ...fields } as Label, before, true),
  })
}

function add(project_id: number, name: string): Promise<boolean> {
  return runWrite({
    async send() {
      const created = await sendWrite('labels.create', { project_id, name })
      reloadBoard(project_id)
      return created
    },
    message: t('settings.added_the_label_name', { name }),
    undo: ({ label_id }) => sendWrite('labels.delete', { project_id, label_id }),
  })
}

interface RemoveProps {
  board: PartProps['board']
  label: Label
  onClose(): void
}

function RemoveLabel({ board, label, onClose }: RemoveProps) {
  const { project_id } = board
  const { label_id, name } = label
  const [tasks, setTasks] = useState<number>()
  useEffect(() => {
    callOperation('tasks.list', { project_id, labels: [label_id], limit: 1 }).then(
      ({ page }) => setTasks(page.total ?? undefined),
      () => {},
    )
  }, [project_id, label_id])
  return (
    <ConfirmDialog
      title={t('settings.delete_the_label_name_question', { name })}
      submitLabel={t('settings.delete_label')}
      onClose={onClose}
      onConfirm={async () => {
        await sendWrite('labels.delete', { project_id, label_id })
        reloadBoard(project_id)
        showToast(t('settings.deleted_the_label_name', { name }))
      }}
    >
      <p>
        {tasks === 0
          ? t('settings.no_open_or_done_tasks_have_it')
          : tasks === undefined
            ? t('settings.tasks_that_have_it_lose_it')
            : t('settings.tasks_lose_the_label', { count: tasks })}{' '}
        {t('settings.filters_and_views_that_use_it_will')}
      </p>
    </ConfirmDialog>
  )
}
