import type { Attachment } from '../../record.ts'
import type { Report } from '../../source.ts'
import { counted } from '../shared/counted.ts'
import { shorten } from '../shared/names.ts'
import type { Export } from './export-files.ts'
import type { IssueIndex } from './issues.ts'

export function attachmentsOf(data: Export, index: IssueIndex, report: Report): Attachment[] {
  const result: Attachment[] = []
  const ids = new Map<string, number>()
  for (const row of data.attachments) {
    const { Filename = '', 'Issue ID': key = '', 'Content Type': type = '' } = row
    const task = index.find(key)
    const file = data.files.get(row['File Path in ZIP'] ?? '')
    if (task === undefined || !file) {
      const reason = file ? 'its issue is not in the export' : 'its file is not in the archive'
      report.lose(`Attachment "${Filename}"`, reason)
      continue
    }
    const base = `${task}/${Filename.slice(0, 250)}`
    const count = (ids.get(base) ?? 0) + 1
    ids.set(base, count)
    result.push({
      id: count === 1 ? base : `${base}#${count}`,
      task,
      filename: shorten(Filename || 'file', 255),
      ...(type && type.length <= 255 && { content_type: type }),
      bytes: () => file.bytes(),
    })
  }
  reportLinks(data, report)
  return result
}

/** Texts link to attachments by ids that the export does not name. */
function reportLinks({ issues }: Export, report: Report): void {
  const links = issues.filter(({ Description = '' }) => Description.includes('](attachment://'))
  if (links.length)
    report.lose(
      `Links to attachments in ${counted(links.length, 'description')}`,
      'the export does not say which file they mean; the files are attached to the tasks',
    )
}
