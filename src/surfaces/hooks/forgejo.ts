import { Type as t } from '@sinclair/typebox'
import { issueReader, pullRequest, status } from './github.ts'
import { cleanText, type Reader, reader, text } from './reader.ts'

const ReviewEvent = t.Object({
  review: t.Object({ type: text }),
  sender: t.Object({ login: text }),
  pull_request: t.Object({ html_url: text }),
})

/** Reviews have an event for each verdict. */
const review = (verdict: 'approved' | 'changes_requested'): Reader =>
  reader(ReviewEvent, ({ sender, pull_request }) => ({
    urls: [pull_request.html_url],
    review: { by: cleanText(sender.login).slice(0, 200), review: verdict },
  }))

/**
 * Readers by event name, as in `X-Gitea-Event`. The events are like those of
 * GitHub.
 */
export const forgejo: Record<string, Reader> = {
  issues: issueReader,
  issue_assign: issueReader,
  issue_label: issueReader,
  issue_comment: issueReader,
  pull_request: pullRequest,
  pull_request_sync: pullRequest,
  pull_request_approved: review('approved'),
  pull_request_rejected: review('changes_requested'),
  status,
}
