import { useOperation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { Priority } from '../../../entities/task/priority.tsx'
import {
  deleteTemplate,
  pendingDeleteName,
  useApplyTemplate,
} from '../../../entities/template/templates.tsx'
import { usePendingDeletes } from '../../../kit/delayed-delete.ts'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { rich, t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import type { PartProps } from './data.ts'

type Template = Output<'templates.list'>['items'][number]

const ABOUT = t('settings.about_templates')

export default function Templates({ board }: PartProps) {
  const list = useOperation('templates.list', { projectId: board.project_id, limit: 50 })
  const apply = useApplyTemplate(() => {})
  const deleted = usePendingDeletes()
  const { data } = list
  if (!data) return <LoadError of={list} what={t('settings.templates')} />
  const templates = data.items.filter((one) => !deleted.has(pendingDeleteName(one)))
  return (
    <SettingsSection title={t('settings.templates_name')} about={ABOUT}>
      {!templates.length && <p className="none">{t('settings.no_templates_yet')}</p>}
      <ul className="rows" aria-label={t('settings.templates_name')}>
        {templates.map((template) => (
          <li key={template.template_id} className="board-row">
            <div className="first">
              <Icon name="page" />
              <span className="who">
                <span dir="auto">{template.name}</span>
                <span className="soft">{detailsOf(template)}</span>
              </span>
              {template.priority > 0 && <Priority value={template.priority} />}
              <button type="button" className="button plain" onClick={() => apply(template)}>
                {rich('settings.create_task_from', {
                  from_name: (
                    <span className="unseen">
                      {t('settings.from_name', { name: template.name })}
                    </span>
                  ),
                })}
              </button>
              <button
                type="button"
                className="button quiet only"
                onClick={() => deleteTemplate(template)}
              >
                <Icon
                  name="trash"
                  label={t('settings.delete_the_template_name', { name: template.name })}
                />
              </button>
            </div>
          </li>
        ))}
      </ul>
      {data.page.has_more && (
        <p className="soft">{t('settings.find_more_templates_by_name_in_the')}</p>
      )}
    </SettingsSection>
  )
}

function detailsOf({ name, title, size, labels, subtask_count: count, created_by }: Template) {
  return [
    title !== name && t('settings.creates_title', { title }),
    size !== 'none' && t('settings.size_size', { size }),
    ...labels.map((one) => one.name),
    count > 0 && t('common.count_subtasks', { count }),
    t('settings.by_name', { name: created_by.name }),
  ]
    .filter(Boolean)
    .join(', ')
}
