import { useEffect, useState } from 'react'
import { callOperation, type Input } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { InlineField } from '../../../kit/inline-edit.tsx'
import { PickOne } from '../../../kit/pick.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { SettingsSection } from '../parts.tsx'
import { COLORS, colorName } from './colors.ts'
import { countOf, type Label, type PartProps, patchBoard, reloadBoard, runWrite } from './data.ts'
import { AddForm, MEMBERS_ONLY } from './parts.tsx'

const ABOUT = 'Use labels for areas, tracks, components or risks, and columns for progress.'

export default function Labels({ board, may }: PartProps) {
  const { project_id, labels } = board
  const [labelToDelete, setLabelToDelete] = useState<Label>()
  const sorted = labels.toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <SettingsSection title="Labels" about={ABOUT} readOnly={!may.write && MEMBERS_ONLY}>
      {!labels.length && <p className="none">No labels yet.</p>}
      <ul className="rows" aria-label="Labels">
        {sorted.map((label) => (
          <li key={label.label_id} className="board-row">
            <div className="first">
              <Color {...{ board, label }} disabled={!may.write} />
              <InlineField
                label={`Name of the label ${label.name}`}
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
                  <Icon name="trash" label={`Delete the label ${label.name}`} />
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {may.write && (
        <AddForm
          label="Name of a new label"
          placeholder="New label"
          verb="Add label"
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

interface ColorProps {
  board: PartProps['board']
  label: Label
  disabled: boolean
}

function Color({ board, label, disabled }: ColorProps) {
  const { name, color } = label
  const isCustom = !COLORS.some(([, one]) => one === color)
  const choices = [
    ...COLORS.map(([called, one]) => ({ value: one as string, name: called as string })),
    ...(isCustom ? [{ value: color, name: `Current, ${color}` }] : []),
  ].map((one) => ({ ...one, mark: <span className="dot" style={{ background: one.value }} /> }))
  return (
    <PickOne
      label={`Colour of ${name}`}
      value={color}
      choices={choices}
      onPick={(next) => void change(board, label, { color: next })}
      trigger={
        <button
          type="button"
          className="button quiet only color"
          disabled={disabled}
          aria-label={`Colour of ${name}: ${colorName(color)}`}
        >
          <span className="dot" style={{ background: color }} />
        </button>
      }
    />
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
    ? `Renamed ${name} to ${fields.name}`
    : `Changed the colour of ${name} to ${colorName(fields.color!).toLowerCase()}`
  const before = fields.name ? { name } : { color }
  const write = sendWrite('labels.update', { project_id, label_id, ...fields })
  return runWrite({
    made: write.then(() => reloadBoard(project_id)),
    back: patchBoard(project_id, { labels }),
    words: isUndo ? undefined : message,
    undo: () => change({ ...board, labels }, { ...label, ...fields } as Label, before, true),
  })
}

function add(project_id: number, name: string): Promise<boolean> {
  const request = sendWrite('labels.create', { project_id, name })
  void request.then(
    () => reloadBoard(project_id),
    () => {},
  )
  return runWrite({
    ...{ made: request, words: `Added the label ${name}`, back: () => {} },
    undo: async () =>
      sendWrite('labels.delete', { project_id, label_id: (await request).label_id }),
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
      title={`Delete the label ${name}?`}
      verb="Delete label"
      onClose={onClose}
      onConfirm={async () => {
        await sendWrite('labels.delete', { project_id, label_id })
        reloadBoard(project_id)
        showToast(`Deleted the label ${name}`)
      }}
    >
      <p>
        {tasks === 0
          ? 'No open or done tasks have it.'
          : `${tasks === undefined ? 'Tasks that have it' : countOf(tasks, 'task')} ${tasks === 1 ? 'loses' : 'lose'} it.`}{' '}
        Filters and views that use it will find nothing. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
