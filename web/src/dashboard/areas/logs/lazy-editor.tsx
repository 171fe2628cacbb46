/** The query editor, whose code loads when it is first shown. Until then, the query is shown as plain text. */
import { Suspense } from 'react';
import { lazyPart } from '../../parts/lazy-part.js';
import type { QueryEditorProps } from './editor/query-editor.js';

const Editor = lazyPart(() => import('./editor/query-editor.js'));

export const QueryEditor = (props: QueryEditorProps) => (
  <Suspense fallback={<pre className="query-waiting">{props.value || ' '}</pre>}>
    <Editor {...props} />
  </Suspense>
);
