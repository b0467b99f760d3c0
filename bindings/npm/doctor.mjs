#!/usr/bin/env node
/* doctor.mjs, `npx perp-lcp`: whether the package works here; exit status 1: a small problem is not
 * solved */
import process from 'process';
import {load} from './index.mjs';

const perp = await load();
const {solved, outcome} = perp.solveLcp([[2, -1], [-1, 2]], [-1, 0.8], {tol: 1e-10});
console.log(`perp-lcp ${perp.version}, Node ${process.versions.node}`);
console.log(
    solved ? 'all is well: a small problem is solved' :
             `a small problem is not solved: ${outcome}`);
process.exitCode = solved ? 0 : 1;
