import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useCache, useOperationMutation } from '../../data/cache.ts'
import { useForm } from '../../data/form.ts'
import type { Me } from '../../entities/user/me.ts'
import { errorText } from '../../kit/errors.ts'
import { RestoredNote } from '../../kit/restored-note.tsx'
import { showToast } from '../../kit/toasts.tsx'
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
  const { text, put, isRestored, discard, reset, saved, changed, isOutdated } = useReportText(
    project_id,
    report,
  )
  const [message, setMessage] = useState('')
  const { create, update, busy } = useSave(report, {
    onSaved() {
      discard()
      saved()
    },
    onFailed: (error) => setMessage(errorText(error)),
    onClose,
  })
  const leave = () => {
    discard()
    onClose()
  }
  const save = () => {
    if (busy) return
    const title = text.title.trim()
    if (!title) return setMessage('A report needs a title')
    if (!report) return create({ project_id, ...text, title })
    const changes = changed()
    if (!Object.keys(changes).length) return leave()
    update({ report_id: report.report_id, ...changes, ...(changes.title && { title }) })
  }
  return (
    <form
      className="reports writing fill"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
        event.preventDefault()
        save()
      }}
    >
      <header className="head">
        <h1>{report ? 'Edit report' : `New report for ${boardTitle(me, project_id)}`}</h1>
        <span className="end">
          <button type="button" className="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button main" disabled={busy}>
            Save
          </button>
        </span>
      </header>
      <p className="note" role="status">
        {message || <RestoredNote {...{ isRestored, isOutdated, reset }} />}
      </p>
      <Fields text={text} put={put} />
    </form>
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
    saved: () => showToast('Saved the report'),
  }
}

interface SaveHandlers {
  onSaved(): void
  onFailed(error: Error): void
  onClose(): void
}

function useSave(report: Report | undefined, { onSaved, onFailed, onClose }: SaveHandlers) {
  const [, go] = useLocation()
  const cache = useCache()
  const { act: create, busy: creating } = useOperationMutation('reports.create', {
    onFailed,
    onDone({ report_id }) {
      onSaved()
      go(`/reports/${report_id}`, { replace: true })
    },
  })
  const { act: update, busy: updating } = useOperationMutation('reports.update', {
    onFailed,
    onDone() {
      onSaved()
      // Reloads the report, so that the saved version is shown next.
      void cache.invalidateQueries({ queryKey: ['reports.get', { report_id: report?.report_id }] })
      onClose()
    },
  })
  return { create, update, busy: creating || updating }
}

interface FieldsProps {
  text: Text
  put(more: Partial<Text>): void
}

const Fields = ({ text, put }: FieldsProps) => (
  <div className="fields">
    <label>
      Title
      <input
        {...{ className: 'field', required: true, maxLength: 300, dir: 'auto', value: text.title }}
        onChange={({ target }) => put({ title: target.value })}
      />
    </label>
    <label>
      Description
      <input
        {...{ className: 'field', maxLength: 10_000, dir: 'auto', value: text.description }}
        placeholder="One-line summary (optional)"
        onChange={({ target }) => put({ description: target.value })}
      />
    </label>
    <label className="source">
      HTML
      <textarea
        {...{ className: 'field', maxLength: 1_048_576, spellCheck: false, value: text.body_html }}
        placeholder="<h2>This week</h2>"
        onChange={({ target }) => put({ body_html: target.value })}
      />
    </label>
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
    <section className="preview" aria-label="Preview">
      <span>Preview</span>
      <iframe className="page" title="Preview" name={FRAME} sandbox="" />
    </section>
  )
}

const FRAME = 'report-preview'

/** A form outside of the editor's form, because forms cannot be nested. */
function createPreviewForm(): HTMLFormElement {
  const form = document.createElement('form')
  Object.assign(form, {
    ...{ method: 'post', enctype: 'multipart/form-data', hidden: true },
    ...{ action: '/reports/preview', target: FRAME },
  })
  const field = document.createElement('textarea')
  field.name = 'body_html'
  form.append(field)
  document.body.append(form)
  return form
}
