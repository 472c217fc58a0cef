import { Type as t } from '@sinclair/typebox'
import { accountOf, commentReader, issueReader, pullRequest, push, status } from './github.ts'
import { cleanText, nullable, type Reader, type ReviewComment, reader, text } from './reader.ts'

const ReviewEvent = t.Object({
  review: t.Object({ type: text, content: nullable(text) }),
  sender: t.Object({ id: nullable(t.Integer()), login: text }),
  pull_request: t.Object({ html_url: text }),
})

/** Reviews have an event for each verdict; comments alone are none. */
const review = (verdict?: 'approved' | 'changes_requested'): Reader =>
  reader(ReviewEvent, ({ sender, pull_request, review: { content } }) => {
    const url = pull_request.html_url
    const comment: ReviewComment = {
      ...{ account: accountOf(sender), text: cleanText(content), url: cleanText(url) },
      ...(verdict === 'changes_requested' && { verdict }),
    }
    return {
      urls: [url],
      ...(verdict && { review: { by: cleanText(sender.login).slice(0, 200), review: verdict } }),
      ...(verdict !== 'approved' && (verdict || content) && { comment }),
    }
  })

/**
 * Readers by event name, as in `X-Gitea-Event`. The events are like those of
 * GitHub.
 */
export const forgejo: Record<string, Reader> = {
  issues: issueReader,
  issue_assign: issueReader,
  issue_label: issueReader,
  issue_comment: commentReader,
  pull_request: pullRequest,
  pull_request_sync: pullRequest,
  pull_request_comment: review(),
  pull_request_approved: review('approved'),
  pull_request_rejected: review('changes_requested'),
  push,
  status,
}
