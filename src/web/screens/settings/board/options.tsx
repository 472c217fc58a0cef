import { useRef, useState } from 'react'
import { patchQuery } from '../../../data/cache.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { ApiError } from '../../../kit/errors.ts'
import { Icon } from '../../../kit/icon.tsx'
import { InlineField } from '../../../kit/inline-edit.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { type Field, fieldsQuery, runWrite } from './data.ts'
import { AddForm } from './parts.tsx'
import { onArrowKeys, targetIndex, useSortableRow } from './sorting.ts'

type Option = { option_id?: string; label: string }

/** The options of a select field, in order. */
export function Options({ field, mayWrite }: { field: Field; mayWrite: boolean }) {
  const { name, options } = field
  const { remove, optionInUse, setOptionInUse } = useOptionRemoval(field)
  const move = (from: number, to: number) => {
    const moved = options[from]
    if (!moved || !options[to] || from === to) return
    const next = options.toSpliced(from, 1).toSpliced(to, 0, moved)
    void saveOptions(field, next, t('settings.moved_label', { label: moved.label }), options)
  }
  return (
    <div className="options">
      <ol aria-label={t('settings.options_of_name', { name })}>
        {options.map((option, index) => (
          <OptionRow
            key={option.option_id}
            {...{ field, option, index, mayWrite, move }}
            onRemove={() => void remove(option)}
          />
        ))}
      </ol>
      {!options.length && <p className="none">{t('settings.no_options_yet')}</p>}
      {mayWrite && (
        <AddForm
          label={t('settings.new_option_of_name', { name })}
          placeholder={t('settings.new_option')}
          submitLabel={t('settings.add')}
          maxLength={100}
          onAdd={(label) =>
            saveOptions(
              field,
              [...options, { label }],
              t('settings.added_label', { label }),
              options,
            )
          }
        />
      )}
      {optionInUse && (
        <DeleteOptionDialog
          {...{ name, ...optionInUse }}
          onConfirm={() => sendOptions(field, without(options, optionInUse.option), true)}
          onClose={() => setOptionInUse(undefined)}
        />
      )}
    </div>
  )
}

const without = (options: readonly Option[], option: Option) =>
  options.filter(({ option_id }) => option_id !== option.option_id)

/** Deletes an option. If tasks use it, it becomes `optionInUse`, and the user must confirm. */
function useOptionRemoval(field: Field) {
  const { name, options } = field
  const [optionInUse, setOptionInUse] = useState<{ option: Option; tasks: number }>()
  /** The option comes back as a new one, because tasks lost the old one. */
  const withRecreated = (option: Option): Option[] =>
    options.map((one) => (one.option_id === option.option_id ? { label: one.label } : one))
  const remove = (option: Option) =>
    sendOptions(field, without(options, option)).then(
      () =>
        showToast(
          t('settings.removed_label_from_name', { label: option.label, name }),
          () => void saveOptions(field, withRecreated(option), undefined),
        ),
      (error) => {
        const tasks = error instanceof ApiError && Number(error.details.tasks)
        if (tasks) setOptionInUse({ option, tasks })
        else showError(error)
      },
    )
  return { remove, optionInUse, setOptionInUse }
}

interface DeleteOptionProps {
  name: string
  option: Option
  tasks: number
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Confirms deleting an option that tasks use. */
const DeleteOptionDialog = ({ name, option, tasks, onConfirm, onClose }: DeleteOptionProps) => (
  <ConfirmDialog
    title={t('settings.remove_label_from_name', { label: option.label, name })}
    submitLabel={t('settings.remove')}
    onClose={onClose}
    onConfirm={() =>
      onConfirm().then(() =>
        showToast(t('settings.removed_label_from_name', { label: option.label, name })),
      )
    }
  >
    <p>{t('settings.tasks_use_the_option', { count: tasks, name })}</p>
  </ConfirmDialog>
)

interface RowProps {
  field: Field
  option: Field['options'][number]
  index: number
  mayWrite: boolean
  move(from: number, to: number): void
  onRemove(): void
}

function OptionRow({ field, option, index, mayWrite, move, onRemove }: RowProps) {
  const { option_id, label } = option
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const indexOfOption = (id: unknown) => field.options.findIndex((one) => one.option_id === id)
  useSortableRow(row, handle, {
    ...{ list: `options of ${field.field_id}`, id: option_id },
    onMove(id, neighbourId, isAfter) {
      const from = indexOfOption(id)
      move(from, targetIndex(from, indexOfOption(neighbourId), isAfter))
    },
  })
  const rename = (next: string) => {
    const all = field.options.map((one) => (one === option ? { ...one, label: next } : one))
    return saveOptions(
      field,
      all,
      t('settings.renamed_label_to_next', { label, next }),
      field.options,
    )
  }
  return (
    <li ref={row} className="first">
      {mayWrite && (
        <button
          type="button"
          ref={handle}
          className="button quiet only handle"
          title={t('settings.drag_or_press_or')}
          onKeyDown={onArrowKeys((by) => move(index, index + by))}
        >
          <Icon name="grip" label={t('settings.move_label_with_and', { label })} />
        </button>
      )}
      <InlineField
        label={t('settings.the_option_label_of_name', { label, name: field.name })}
        value={label}
        maxLength={100}
        disabled={!mayWrite}
        onSave={rename}
      />
      {mayWrite && (
        <button type="button" className="button quiet only" onClick={onRemove}>
          <Icon
            name="close"
            label={t('settings.remove_label_from_name_name', { label, name: field.name })}
          />
        </button>
      )}
    </li>
  )
}

const sendOptions = ({ project_id, field_id }: Field, options: readonly Option[], force = false) =>
  sendWrite(
    'custom_fields.update',
    { project_id, field_id, options: [...options], ...(force && { force }) },
    { line: `field ${field_id}` },
  )

/**
 * Saves options optimistically. A new option gets its id from the server and shows after the
 * response.
 */
function saveOptions(
  field: Field,
  options: readonly Option[],
  message: string | undefined,
  before?: readonly Option[],
): Promise<boolean> {
  const knownOptions = options.flatMap(({ option_id, label }) =>
    option_id ? { option_id, label } : [],
  )
  return runWrite({
    change: () =>
      patchQuery('custom_fields.list', fieldsQuery(field.project_id), (all) => ({
        ...all,
        items: all.items.map((one) =>
          one.field_id === field.field_id ? { ...one, options: knownOptions } : one,
        ),
      })),
    send: () => sendOptions(field, options),
    message,
    topic: `options of ${field.field_id}`,
    ...(before && { undo: () => saveOptions(field, before, undefined) }),
  })
}
