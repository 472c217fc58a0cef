import { useState } from 'react'
import { cache, patchQuery, useOperation } from '../../../data/cache.ts'
import type { Input } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { InlineField } from '../../../kit/inline-edit.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { type Field, fieldsQuery, type PartProps, runWrite } from './data.ts'
import { Options } from './options.tsx'
import { AddForm, MEMBERS_ONLY } from './parts.tsx'

const ABOUT = t('settings.extra_fields_for_the_tasks_of_this')

export default function Fields({ board, may }: PartProps) {
  const { project_id } = board
  const list = useOperation('custom_fields.list', fieldsQuery(project_id))
  const [fieldToDelete, setFieldToDelete] = useState<Field>()
  const { data } = list
  if (!data) return <LoadError of={list} what={t('settings.custom_fields')} />
  return (
    <SettingsSection
      title={t('settings.custom_fields_name')}
      about={ABOUT}
      readOnly={!may.write && MEMBERS_ONLY}
    >
      {!data.items.length && <p className="none">{t('settings.no_custom_fields_yet')}</p>}
      <ul className="rows" aria-label={t('settings.custom_fields_name')}>
        {data.items.map((field) => (
          <li key={field.field_id} className="board-row">
            <div className="first">
              <InlineField
                label={t('settings.name_of_the_field_name', { name: field.name })}
                value={field.name}
                maxLength={100}
                disabled={!may.write}
                onSave={(name) => rename(field, name)}
              />
              <span className="soft kind">{KINDS[field.type]}</span>
              {may.write && (
                <button
                  type="button"
                  className="button quiet only"
                  onClick={() => setFieldToDelete(field)}
                >
                  <Icon
                    name="trash"
                    label={t('settings.delete_the_field_name', { name: field.name })}
                  />
                </button>
              )}
            </div>
            {field.type === 'select' && <Options {...{ field, mayWrite: may.write }} />}
          </li>
        ))}
      </ul>
      {may.write && <AddField project_id={project_id} />}
      {fieldToDelete && (
        <RemoveField field={fieldToDelete} onClose={() => setFieldToDelete(undefined)} />
      )}
    </SettingsSection>
  )
}

const KINDS: Record<Field['type'], string> = {
  number: t('settings.number'),
  text: t('common.text'),
  select: t('settings.select'),
  date: t('settings.date'),
  checkbox: t('settings.checkbox'),
  url: 'URL',
}
const TYPES = Object.entries(KINDS) as [Field['type'], string][]

function AddField({ project_id }: { project_id: number }) {
  const [type, setType] = useState<Field['type']>('text')
  return (
    <AddForm
      label={t('settings.name_of_a_new_field')}
      placeholder={t('settings.new_field')}
      submitLabel={t('settings.add_field')}
      maxLength={100}
      onAdd={(name) => add({ project_id, name, type })}
    >
      <SelectField label={t('settings.type')} value={type} choices={TYPES} onPick={setType} />
    </AddForm>
  )
}

function add(input: Input<'custom_fields.create'>): Promise<boolean> {
  const { project_id, name } = input
  return runWrite({
    async send() {
      const created = await sendWrite('custom_fields.create', input)
      void cache.invalidateQueries({ queryKey: ['custom_fields.list'] })
      return created
    },
    message: t('settings.added_the_field_name', { name }),
    undo: ({ field_id }) => sendWrite('custom_fields.delete', { project_id, field_id }),
  })
}

function rename(field: Field, name: string, isUndo = false): Promise<boolean> {
  const { project_id, field_id, name: before } = field
  return runWrite({
    change: () =>
      patchQuery('custom_fields.list', fieldsQuery(project_id), (all) => ({
        ...all,
        items: all.items.map((one) => (one.field_id === field_id ? { ...one, name } : one)),
      })),
    send: () => sendWrite('custom_fields.update', { project_id, field_id, name }),
    message: isUndo ? undefined : t('settings.renamed_before_to_name', { before, name }),
    undo: () => rename({ ...field, name }, before, true),
  })
}

function RemoveField({ field, onClose }: { field: Field; onClose(): void }) {
  const { project_id, field_id, name } = field
  return (
    <ConfirmDialog
      title={t('settings.delete_the_field_name_question', { name })}
      submitLabel={t('settings.delete_field')}
      onClose={onClose}
      onConfirm={async () => {
        const { cleared_tasks } = await sendWrite('custom_fields.delete', { project_id, field_id })
        showToast(t('settings.deleted_the_field_name', { name, count: cleared_tasks }))
      }}
    >
      <p>{t('settings.all_tasks_including_archived_ones_lose')}</p>
    </ConfirmDialog>
  )
}
