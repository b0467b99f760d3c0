/* index.cjs: the same for require(): const perp = await require('perp-lcp').load() */
'use strict';
exports.load = async options => (await import('./index.mjs')).load(options);
