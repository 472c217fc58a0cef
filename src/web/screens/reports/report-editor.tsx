import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useCache, useOperationMutation } from '../../data/cache.ts'
import { useForm } from '../../data/form.ts'
import type { Me } from '../../entities/user/me.ts'
import { basePath } from '../../kit/base-path.ts'
import { TextAreaField, TextField } from '../../kit/field.tsx'
import { Form, FormError, SubmitButton } from '../../kit/form.tsx'
import { RestoredNote } from '../../kit/restored-note.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { boardTitle } from './report-boards.ts'
import type { Report } from './types.ts'

interface Props {
  me: Me
  project_id: number
  /** Undefined for a new report. */
  report?: Report
  onClose(): void
}

interface Text {
  title: string
  description: string
  body_html: string
}

const textFieldsOf = (report: Report | undefined): Text => ({
  title: report?.title ?? '',
  description: report?.description ?? '',
  body_html: report?.body_html ?? '',
})

const updatedAt = (report: Report | undefined) =>
  report ? Date.parse(report.updated_at) : undefined

/** The editor of a report, with a preview. */
export function ReportEditor({ me, project_id, report, onClose }: Props) {
  const {
    text,
    update: updateText,
    isRestored,
    isOutdated,
    discard,
    reset,
    changed,
  } = useReportText(project_id, report)
  const { create, update } = useSave(report, discard, onClose)
  const save = () => {
    const title = text.title.trim()
    if (!title) throw new Error(t('reports.a_report_needs_a_title'))
    if (!report) return create({ project_id, ...text, title })
    const changes = changed()
    if (Object.keys(changes).length)
      return update({ report_id: report.report_id, ...changes, ...(changes.title && { title }) })
    discard()
    return onClose()
  }
  return (
    <Form className="reports writing fill" onSubmit={save}>
      <header className="head">
        <h1>
          {report
            ? t('reports.edit_report')
            : t('reports.new_report_for_boardtitle', { boardTitle: boardTitle(me, project_id) })}
        </h1>
        <span className="end">
          <button type="button" className="button quiet" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <SubmitButton>{t('common.save')}</SubmitButton>
        </span>
      </header>
      <div className="note">
        <FormError />
        <p role="status">
          <RestoredNote {...{ isRestored, isOutdated, reset }} />
        </p>
      </div>
      <Fields text={text} onChange={updateText} />
    </Form>
  )
}

function useReportText(project_id: number, report: Report | undefined) {
  const name = report ? `report:${report.report_id}` : `report:new:${project_id}`
  const { fields: text, ...form } = useForm(name, textFieldsOf(report), updatedAt(report))
  const [original] = useState(textFieldsOf(report))
  return {
    ...{ text, ...form },
    /**
     * Only the fields that were edited here, so that a concurrent change to other fields is kept.
     */
    changed: () => ({
      ...(text.title !== original.title && { title: text.title }),
      ...(text.description !== original.description && { description: text.description }),
      ...(text.body_html !== original.body_html && { body_html: text.body_html }),
    }),
  }
}

function useSave(report: Report | undefined, discard: () => void, onClose: () => void) {
  const [, go] = useLocation()
  const cache = useCache()
  const done = () => {
    discard()
    showToast(t('reports.saved_the_report'))
  }
  const { mutateAsync: create } = useOperationMutation('reports.create', {
    onDone({ report_id }) {
      done()
      go(`/reports/${report_id}`, { replace: true })
    },
  })
  const { mutateAsync: update } = useOperationMutation('reports.update', {
    onDone() {
      done()
      // Reloads the report, so that the saved version is shown next.
      void cache.invalidateQueries({ queryKey: ['reports.get', { report_id: report?.report_id }] })
      onClose()
    },
  })
  return { create, update }
}

interface FieldsProps {
  text: Text
  onChange(changes: Partial<Text>): void
}

const Fields = ({ text, onChange }: FieldsProps) => (
  <div className="fields">
    <TextField
      {...{ label: t('common.title'), name: 'title', required: true, maxLength: 300, dir: 'auto' }}
      value={text.title}
      onChange={(title) => onChange({ title })}
    />
    <TextField
      {...{ label: t('common.description'), name: 'description', maxLength: 10_000, dir: 'auto' }}
      placeholder={t('reports.one_line_summary_optional')}
      value={text.description}
      onChange={(description) => onChange({ description })}
    />
    <TextAreaField
      {...{ label: 'HTML', name: 'body_html', className: 'source', maxLength: 1_048_576 }}
      spellCheck={false}
      placeholder={t('reports.h2_this_week_h2')}
      value={text.body_html}
      onChange={(body_html) => onChange({ body_html })}
    />
    <Preview html={text.body_html} />
  </div>
)

const PAUSE_MS = 400

/** The preview, rendered by the server in a sandbox without scripts. */
function Preview({ html }: { html: string }) {
  const form = useRef<HTMLFormElement | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => {
      form.current ??= createPreviewForm()
      form.current.querySelector('textarea')!.value = html
      form.current.submit()
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [html])
  useEffect(() => () => form.current?.remove(), [])
  return (
    <section className="preview" aria-label={t('common.preview')}>
      <span>{t('common.preview')}</span>
      <iframe className="page" title={t('common.preview')} name={FRAME} sandbox="" />
    </section>
  )
}

const FRAME = 'report-preview'

/** A form outside of the editor's form, because forms cannot be nested. */
function createPreviewForm(): HTMLFormElement {
  const form = document.createElement('form')
  Object.assign(form, {
    ...{ method: 'post', enctype: 'multipart/form-data', hidden: true },
    ...{ action: `${basePath}/reports/preview`, target: FRAME },
  })
  const field = document.createElement('textarea')
  field.name = 'body_html'
  form.append(field)
  document.body.append(form)
  return form
}
